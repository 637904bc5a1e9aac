// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: atgc in plain C++: the table of scores row by row, of which one row is kept.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace terrane::programs {

/// Where the best local alignment ends, letters counted from 1, and the sum of all scores.
struct atgc_alignment {
  int score = 0, row = 0, column = 0;
  long sum = 0;
};

inline std::string atgc_letters(int n, std::uint32_t& state) {
  std::string all;
  for (int i = 0; i < n; ++i) {
    state = state * 1103515245u + 12345u;
    all += "ACGT"[state >> 16 & 3];
  }
  return all;
}

inline atgc_alignment atgc_sequential(int n) {
  std::uint32_t state = 12345;
  const std::string a = atgc_letters(n, state), b = atgc_letters(n, state);
  std::vector<int> scores(b.size() + 1, 0);  // of the previous row, then of this one
  atgc_alignment found;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int match = diagonal + (a[i - 1] == b[j - 1] ? 1 : -1);
      diagonal = scores[j];
      scores[j] = std::max({0, match, scores[j] - 2, scores[j - 1] - 2});
      found.sum += scores[j];
      if (scores[j] > found.score)
        found = {scores[j], static_cast<int>(i), static_cast<int>(j), found.sum};
    }
  }
  return found;
}

}  // namespace terrane::programs
