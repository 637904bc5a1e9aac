// SPDX-License-Identifier: Apache-2.0
// entries.hpp: names of threaded functions that are valid in every process: their distance from the
// executable's start.
//
// Invariants  The processes of a run execute the same file, perhaps at different addresses. A
//             distance is accepted only if a function with it was registered. Functions are
//             registered by static initialisers, before any processor runs.
#pragma once

#include <cstdint>

#include "terrane/terrane.h"

namespace terrane {

/// Where the executable lies in this process.
std::uint64_t executable_start();

/// A function's number on every node.
std::uint64_t entry_of(const terrane_function& function);

/// The registered function of that number; null when there is none.
const terrane_function* function_at(std::uint64_t entry);

/// Registers a function before main.
struct registration {
  explicit registration(const terrane_function& function) { terrane_register(&function); }
};

}  // namespace terrane
