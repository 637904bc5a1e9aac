// SPDX-License-Identifier: Apache-2.0
// entries.hpp: threaded functions as they travel: by their distance from the executable's start.
//
// Invariants  Processes of one run execute the same file, at addresses of their own. A distance is
//             taken for a function only if that function was registered.
//             Registered by static initialisers, before any processor runs.
#pragma once

#include <cstdint>

#include "terrane/terrane.h"

namespace terrane {

/// Where this process has the executable.
std::uint64_t executable_start();

/// A function's number on every node.
std::uint64_t entry_of(const terrane_function& function);

/// The registered function of that number; null when there is none.
const terrane_function* function_at(std::uint64_t entry);

/// Makes a function known, before main.
struct registration {
  explicit registration(const terrane_function& function) { terrane_register(&function); }
};

}  // namespace terrane
