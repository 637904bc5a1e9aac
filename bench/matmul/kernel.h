// SPDX-License-Identifier: Apache-2.0
// kernel.h: the product of two n x n matrices of doubles, by halving the longest side.
//
// Problem     c += a b. Halves of rows and of columns are two tasks, halves of the inner side come
//             one after the other. Blocks of at most matmul_leaf are multiplied by three loops.
// Language    C11 and C++20. bench/matmul/rayon.rs does the same in Rust.
#ifndef TERRANE_BENCH_MATMUL_KERNEL_H
#define TERRANE_BENCH_MATMUL_KERNEL_H

#include <stdint.h>

#include "bench/report.h"

enum { matmul_n_max = 8192, matmul_n_warm = 128, matmul_leaf = 64 };

/// Blocks of c, a and b; rows are `stride` apart in each. rows x inner times inner x columns.
struct matmul_blocks {
  double* c;
  const double *a, *b;
  int rows, columns, inner, stride;
};

static inline void matmul_multiply(const struct matmul_blocks* of) {
  for (int i = 0; i < of->rows; i++)
    for (int k = 0; k < of->inner; k++) {
      const double factor = of->a[(long)i * of->stride + k];
      const double* const from = of->b + (long)k * of->stride;
      double* const to = of->c + (long)i * of->stride;
      for (int j = 0; j < of->columns; j++) to[j] += factor * from[j];
    }
}

enum matmul_cut { matmul_whole, matmul_rows, matmul_columns, matmul_inner };

/// How the product is to be divided: `first` and `second` are its halves, unless it is whole.
static inline enum matmul_cut matmul_halves(const struct matmul_blocks* of,
                                            struct matmul_blocks* first,
                                            struct matmul_blocks* second) {
  *first = *second = *of;
  if (of->rows <= matmul_leaf && of->columns <= matmul_leaf && of->inner <= matmul_leaf)
    return matmul_whole;
  if (of->rows >= of->columns && of->rows >= of->inner) {
    first->rows = of->rows / 2;
    second->rows = of->rows - first->rows;
    second->a += (long)first->rows * of->stride;
    second->c += (long)first->rows * of->stride;
    return matmul_rows;
  }
  if (of->columns >= of->inner) {
    first->columns = of->columns / 2;
    second->columns = of->columns - first->columns;
    second->b += first->columns;
    second->c += first->columns;
    return matmul_columns;
  }
  first->inner = of->inner / 2;
  second->inner = of->inner - first->inner;
  second->a += first->inner;
  second->b += (long)first->inner * of->stride;
  return matmul_inner;
}

/// Small whole numbers, so that every sum is exact.
static inline void matmul_fill(double* a, double* b, double* c, int n) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      a[i * n + j] = (double)((3 * i + 5 * j) % 7);
      b[i * n + j] = (double)((2 * i + 3 * j) % 5);
      c[i * n + j] = 0;
    }
}

/// The sum of all elements, each times a weight of its row and one of its column.
static inline uint64_t matmul_check(const double* c, int n) {
  uint64_t sum = 0;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      sum += (uint64_t)c[i * n + j] * (uint64_t)(1 + i % 5) * (uint64_t)(1 + j % 3);
  return sum;
}

/// answer: the check, from the weighted sums of a's columns and b's rows. tasks: multiplications of
/// a thousand numbers.
static inline struct bench_known matmul_known(int n) {
  struct bench_known known = {0, ((uint64_t)n * (uint64_t)n * (uint64_t)n + 999) / 1000};
  for (long k = 0; k < n; k++) {
    uint64_t column = 0, row = 0;
    for (long i = 0; i < n; i++) {
      column += (uint64_t)((3 * i + 5 * k) % 7) * (uint64_t)(1 + i % 5);
      row += (uint64_t)((2 * k + 3 * i) % 5) * (uint64_t)(1 + i % 3);
    }
    known.answer += column * row;
  }
  return known;
}

#endif
