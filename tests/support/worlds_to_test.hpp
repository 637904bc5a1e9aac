// SPDX-License-Identifier: Apache-2.0
// worlds_to_test.hpp: the worlds whose nodes a test can start by itself. What an mpirun starts has
// tests of its own (tests/mpi).
#pragma once

#include <vector>

#include "terrane/machine/worlds.hpp"

namespace terrane {

inline std::vector<const world_row*> worlds_to_test() {
  std::vector<const world_row*> all = worlds();
  std::erase_if(all, [](const world_row* each) { return each->is_started != nullptr; });
  return all;
}

}  // namespace terrane
