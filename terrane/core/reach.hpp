// SPDX-License-Identifier: Apache-2.0
// reach.hpp: does a place name a processor of this machine, and memory there?
#pragma once

#include <cstddef>

#include "terrane/core/processor.hpp"

namespace terrane {

/// R-210 unless the place is on a processor of the machine. 0 and plain addresses are on none.
[[noreturn, gnu::cold]] void refuse_place(terrane_global place, const char* what);
inline void require_place(terrane_global place, const char* what) {
  if (terrane_owner_of(place) >= here().processors()) refuse_place(place, what);
}

/// What require_memory does for a place that is not where the last one was.
void look_for_memory(processor& self, terrane_global place, std::size_t bytes, bool to_write);
/// R-222 unless the place, which another processor named, is memory of this one.
inline void require_memory(processor& self, terrane_global place, std::size_t bytes,
                           bool to_write) {
  if (!self.messages().seen_memory.covers(terrane_address_in(place), bytes, to_write))
    look_for_memory(self, place, bytes, to_write);
}

}  // namespace terrane
