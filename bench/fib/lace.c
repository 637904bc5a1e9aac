// SPDX-License-Identifier: Apache-2.0
// lace.c: fib with Lace's SPAWN, CALL and SYNC.
#include <lace.h>

#include "bench/fib/known.h"
#include "bench/spread.h"

TASK_1(uint64_t, fib, int, n) {
  if (n < 2) return 1;
  SPAWN(fib, n - 1);
  const uint64_t right = CALL(fib, n - 2);
  const uint64_t left = SYNC(fib);
  return left + right;
}

int main(int argc, char** argv) {
  const struct bench_run run = bench_arguments(argc, argv, "fib", "lace", fib_n_max);
  const struct bench_known known = fib_known(run.n);
  lace_start((unsigned)run.workers, 0);
  RUN(fib, fib_n_warm);
  bench_spread();
  const double start = bench_now();
  const uint64_t found = RUN(fib, run.n);
  const double seconds = bench_now() - start;
  lace_stop();
  bench_report(&run, &known, found, seconds);
  return 0;
}
