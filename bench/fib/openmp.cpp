// SPDX-License-Identifier: Apache-2.0
// openmp.cpp: fib with OpenMP tasks: libgomp under g++, libomp under clang++.
#include <omp.h>

#include "bench/fib/known.h"
#include "bench/report.hpp"
#include "bench/spread.h"

static std::uint64_t fib(int n) {
  if (n < 2) return 1;
  std::uint64_t left = 0;
#pragma omp task default(none) shared(left) firstprivate(n)
  left = fib(n - 1);
  const std::uint64_t right = fib(n - 2);
#pragma omp taskwait
  return left + right;
}

static std::uint64_t fib_in_team(int n) {
  std::uint64_t found = 0;
#pragma omp parallel
#pragma omp single
  found = fib(n);
  return found;
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "fib", "openmp", fib_n_max);
  omp_set_num_threads(run.workers);
  fib_in_team(fib_n_warm);
  bench_spread();
  bench::measure(run, fib_known(run.n), [&] { return fib_in_team(run.n); });
}
