// SPDX-License-Identifier: Apache-2.0
// openmp.cpp: queens with OpenMP tasks: libgomp under g++, libomp under clang++.
#include <omp.h>

#include "bench/queens/kernel.h"
#include "bench/queens/known.h"
#include "bench/report.hpp"
#include "bench/spread.h"

static std::uint64_t queens(queens_board board, int row, int n) {
  if (row == n) return 1;
  std::uint64_t found[queens_n_max];
  int children = 0;
  for (int column = 0; column < n; ++column) {
    if (!queens_legal(&board, row, column)) continue;
    const queens_board child = queens_place(board, row, column);
#pragma omp task default(none) shared(found) firstprivate(children, child, row, n)
    found[children] = queens(child, row + 1, n);
    ++children;
  }
#pragma omp taskwait
  std::uint64_t sum = 0;
  for (int i = 0; i < children; ++i) sum += found[i];
  return sum;
}

static std::uint64_t queens_in_team(int n) {
  std::uint64_t found = 0;
#pragma omp parallel
#pragma omp single
  found = queens(queens_empty(), 0, n);
  return found;
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "queens", "openmp", queens_n_max);
  omp_set_num_threads(run.workers);
  queens_in_team(queens_n_warm);
  bench_spread();
  bench::measure(run, queens_known(run.n), [&] { return queens_in_team(run.n); });
}
