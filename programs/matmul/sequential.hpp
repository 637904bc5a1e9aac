// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: matmul in plain C++, an element at a time, without a matrix in memory.
#pragma once

namespace terrane::programs {

struct matmul_checksum {
  long sum, squares;
};

inline matmul_checksum matmul_sequential(int n) {
  matmul_checksum all{0, 0};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      long element = 0;
      for (int k = 0; k < n; ++k) element += ((i + k) % 7 - 3) * ((2 * k + 3 * j) % 5 - 2);
      all.sum += element;
      all.squares += element * element;
    }
  return all;
}

}  // namespace terrane::programs
