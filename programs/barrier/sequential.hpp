// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: barrier in plain C++: two nested loops.
#pragma once

namespace terrane::programs {

inline int barrier_sequential(int members, int wanted) {
  int rounds = 0;
  for (; rounds < wanted; ++rounds)
    for (int member = 0; member < members; ++member)
      for (int i = 0; i < 100 * ((member + wanted - rounds) % 8); ++i) asm volatile("");
  return rounds;
}

}  // namespace terrane::programs
