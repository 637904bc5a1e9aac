// SPDX-License-Identifier: Apache-2.0
// worlds_to_test.hpp: the worlds whose nodes a test can start by itself. Or, where
// TERRANE_TEST_RANKS says of how many ranks an MPI's launcher started this test: world mpi alone,
// on so many nodes (tests/mpi/scenarios.py).
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <vector>

#include "terrane/machine/worlds.hpp"

namespace terrane {

/// 0: this test runs by itself.
inline int ranks_of_test() {
  static const char* const told = std::getenv("TERRANE_TEST_RANKS");
  return told ? std::atoi(told) : 0;
}

inline std::vector<const world_row*> worlds_to_test() {
  std::vector<const world_row*> all = worlds();
  std::erase_if(all, [](const world_row* each) {
    return (each->is_started != nullptr) != (ranks_of_test() != 0);
  });
  return all;
}

/// How many nodes a test has: those, or as many as there are ranks.
inline std::vector<int> node_counts(std::initializer_list<int> by_itself) {
  return ranks_of_test() != 0 ? std::vector{ranks_of_test()} : std::vector(by_itself);
}

}  // namespace terrane
