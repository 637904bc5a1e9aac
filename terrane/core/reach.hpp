// SPDX-License-Identifier: Apache-2.0
// reach.hpp: does a place name a processor of this machine, and memory there?
#pragma once

#include <cstddef>

#include "terrane/core/place.hpp"

namespace terrane {

class processor;

/// R-210 unless the machine has that processor. what: the beginning of the sentence that says so.
void require_processor(processor_id target, const char* what);

/// R-210 unless the place is on a processor of the machine. 0 and plain addresses are on none.
void require_place(terrane_global place, const char* what);

/// R-222 unless the place, which another processor named, is memory of this one.
void require_memory(processor& self, terrane_global place, std::size_t bytes, bool to_write);

}  // namespace terrane
