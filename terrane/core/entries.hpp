// SPDX-License-Identifier: Apache-2.0
// entries.hpp: numbers that name threaded functions in every process: the distance of a function
// from the executable's start.
//
// Invariants  The processes of a run execute the same file, perhaps at different addresses. A
//             distance is accepted only if a function is registered at it. Functions are registered
//             by static initialisers, before any processor runs.
#pragma once

#include <cstdint>

#include "terrane/terrane.h"

namespace terrane {

/// The address at which the executable begins in this process.
std::uint64_t executable_start();

/// The number of a function, the same on every node.
std::uint64_t entry_of(const terrane_function& function);

/// The registered function with that number; null if there is none.
const terrane_function* function_at(std::uint64_t entry);

/// Registers a function before main.
struct registration {
  explicit registration(const terrane_function& function) { terrane_register(&function); }
};

}  // namespace terrane
