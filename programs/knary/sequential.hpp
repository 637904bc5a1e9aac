// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: knary in plain C++: a child is a call, whether serial or parallel.
#pragma once

namespace terrane::programs {

/// The nodes visited.
inline long knary_sequential(int levels, int branching, int iterations) {
  for (int i = 0; i < iterations; ++i) asm volatile("");
  long visited = 1;
  for (int i = 0; levels > 1 && i < branching; ++i)
    visited += knary_sequential(levels - 1, branching, iterations);
  return visited;
}

}  // namespace terrane::programs
