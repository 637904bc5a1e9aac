// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: matmul in plain C++, a row after the other.
#pragma once

#include <cstddef>
#include <vector>

namespace terrane::programs {

struct matmul_checksum {
  long sum, squares;
};

inline matmul_checksum matmul_sequential(int side) {
  const auto n = static_cast<std::size_t>(side);
  std::vector<int> b(n * n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) b[k * n + j] = static_cast<int>((2 * k + 3 * j) % 5) - 2;
  matmul_checksum all{0, 0};
  std::vector<long> row(n);
  for (std::size_t i = 0; i < n; ++i) {
    row.assign(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
      const long a = static_cast<long>((i + k) % 7) - 3;
      for (std::size_t j = 0; j < n; ++j) row[j] += a * b[k * n + j];
    }
    for (const long each : row) {
      all.sum += each;
      all.squares += each * each;
    }
  }
  return all;
}

}  // namespace terrane::programs
