// SPDX-License-Identifier: Apache-2.0
// lace.c: matmul with Lace's SPAWN and SYNC.
#include <lace.h>

#include "bench/matmul/kernel.h"
#include "bench/spread.h"

VOID_TASK_1(multiply, struct matmul_blocks*, of) {
  struct matmul_blocks first, second;
  switch (matmul_halves(of, &first, &second)) {
    case matmul_whole: matmul_multiply(of); break;
    case matmul_inner:
      CALL(multiply, &first);
      CALL(multiply, &second);
      break;
    default:
      SPAWN(multiply, &first);
      CALL(multiply, &second);
      SYNC(multiply);
  }
}

int main(int argc, char** argv) {
  const struct bench_run run = bench_arguments(argc, argv, "matmul", "lace", matmul_n_max);
  const struct bench_known known = matmul_known(run.n);
  lace_set_stacksize(64 << 20);
  lace_start((unsigned)run.workers, 0);
  const int n = run.n;
  double* const a = (double*)malloc(3 * sizeof *a * (size_t)n * (size_t)n);
  if (!a) abort();
  double *const b = a + (size_t)n * (size_t)n, *const c = b + (size_t)n * (size_t)n;
  matmul_fill(a, b, c, n);
  const int few = n < matmul_n_warm ? n : matmul_n_warm;
  struct matmul_blocks whole = {c, a, b, few, few, few, n};
  RUN(multiply, &whole);
  matmul_fill(a, b, c, n);
  whole.rows = whole.columns = whole.inner = n;
  bench_spread();
  const double start = bench_now();
  RUN(multiply, &whole);
  const double seconds = bench_now() - start;
  const uint64_t found = matmul_check(c, n);
  free(a);
  lace_stop();
  bench_report(&run, &known, found, seconds);
  return 0;
}
