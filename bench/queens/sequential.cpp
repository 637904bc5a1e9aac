// SPDX-License-Identifier: Apache-2.0
// sequential.cpp: queens by plain calls, the divisor of every ratio.
#include "bench/queens/kernel.h"
#include "bench/queens/known.h"
#include "bench/report.hpp"

// One function for all rows, as in every library: without this g++ would clone the function for
// rows 0 to 7 and unroll the kernel in each clone.
#if defined(__GNUC__) && !defined(__clang__)
#define QUEENS_ONE_FUNCTION [[gnu::noinline, gnu::noclone]]
#else
#define QUEENS_ONE_FUNCTION [[gnu::noinline]]
#endif

QUEENS_ONE_FUNCTION static std::uint64_t queens(queens_board board, int row, int n) {
  if (row == n) return 1;
  std::uint64_t sum = 0;
  for (int column = 0; column < n; ++column)
    if (queens_legal(&board, row, column))
      sum += queens(queens_place(board, row, column), row + 1, n);
  return sum;
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "queens", "sequential", queens_n_max);
  bench::measure(run, queens_known(run.n), [&] { return queens(queens_empty(), 0, run.n); });
}
