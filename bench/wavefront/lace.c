// SPDX-License-Identifier: Apache-2.0
// lace.c: wavefront with Lace's SPAWN and SYNC.
#include <lace.h>

#include "bench/spread.h"
#include "bench/wavefront/kernel.h"

// A task that another made is waited for by it, which is what Lace offers.
VOID_TASK_3(compute, const struct wavefront_grid*, grid, int, i, int, j) {
  wavefront_compute(grid, i, j);
  const int below = wavefront_is_ready(grid, i + 1, j);
  const int right = wavefront_is_ready(grid, i, j + 1);
  if (below) SPAWN(compute, grid, i + 1, j);
  if (right) SPAWN(compute, grid, i, j + 1);
  if (right) SYNC(compute);
  if (below) SYNC(compute);
}

int main(int argc, char** argv) {
  const struct bench_run run = bench_arguments(argc, argv, "wavefront", "lace", wavefront_n_max);
  const struct bench_known known = wavefront_known(run.n);
  lace_set_stacksize(64 << 20);
  lace_start((unsigned)run.workers, 0);
  const struct wavefront_grid small = wavefront_make(wavefront_n_warm);
  RUN(compute, &small, 0, 0);
  wavefront_free(&small);
  const struct wavefront_grid grid = wavefront_make(run.n);
  bench_spread();
  const double start = bench_now();
  RUN(compute, &grid, 0, 0);
  const double seconds = bench_now() - start;
  const uint64_t found = wavefront_last(&grid);
  wavefront_free(&grid);
  lace_stop();
  bench_report(&run, &known, found, seconds);
  return 0;
}
