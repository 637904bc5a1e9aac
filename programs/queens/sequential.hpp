// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: queens in plain C++, row by row, counting what it places on the way.
#pragma once

#include <numeric>
#include <vector>

namespace terrane::programs {

/// Adds the legal placements on each row from `row` on to legal[row] and those behind it.
inline void place_queens(std::vector<long>& legal, std::size_t row, unsigned columns,
                         unsigned rising, unsigned falling) {
  if (row == legal.size()) return;
  const unsigned all = (1u << legal.size()) - 1;
  for (unsigned free = all & ~(columns | rising | falling); free != 0; free &= free - 1) {
    const unsigned queen = free & -free;
    ++legal[row];
    place_queens(legal, row + 1, columns | queen, (rising | queen) << 1, (falling | queen) >> 1);
  }
}

/// Legal placements of n queens on each of the n rows; those on the last are the solutions.
inline std::vector<long> legal_placements(int n) {
  std::vector<long> legal(static_cast<std::size_t>(n), 0);
  place_queens(legal, 0, 0, 0, 0);
  return legal;
}

inline long queens_sequential(int n) { return legal_placements(n).back(); }

/// Legal placements on the first `rows` rows together.
inline long placements(int n, int rows) {
  const std::vector<long> legal = legal_placements(n);
  return std::accumulate(legal.begin(), legal.begin() + rows, 0L);
}

}  // namespace terrane::programs
