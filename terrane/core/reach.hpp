// SPDX-License-Identifier: Apache-2.0
// reach.hpp: checks that a place names a processor of this machine, and memory there.
#pragma once

#include <cstddef>

#include "terrane/core/processor.hpp"

namespace terrane {

/// Fails with R-210: the place is on no processor of the machine. 0 and plain addresses are such
/// places.
[[noreturn, gnu::cold]] void refuse_place(terrane_global place, const char* what);
inline void require_place(terrane_global place, const char* what) {
  if (terrane_owner_of(place) >= here().processors()) refuse_place(place, what);
}

/// The slow case of require_memory: the place is not in the memory that was seen last.
void look_for_memory(processor& self, terrane_global place, std::size_t bytes, bool to_write);
/// R-222 unless the place, which another processor named, is memory of this processor.
inline void require_memory(processor& self, terrane_global place, std::size_t bytes,
                           bool to_write) {
  if (!self.messages().seen_memory.covers(terrane_address_in(place), bytes, to_write))
    look_for_memory(self, place, bytes, to_write);
}

}  // namespace terrane
