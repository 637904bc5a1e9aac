// SPDX-License-Identifier: Apache-2.0
// lace.c: queens with Lace's SPAWN and SYNC.
#include <lace.h>

#include "bench/queens/kernel.h"
#include "bench/queens/known.h"
#include "bench/spread.h"

TASK_3(uint64_t, queens, struct queens_board, board, int, row, int, n) {
  if (row == n) return 1;
  int children = 0;
  for (int column = 0; column < n; column++) {
    if (!queens_legal(&board, row, column)) continue;
    SPAWN(queens, queens_place(board, row, column), row + 1, n);
    children++;
  }
  uint64_t sum = 0;
  for (int i = 0; i < children; i++) sum += SYNC(queens);
  return sum;
}

int main(int argc, char** argv) {
  const struct bench_run run = bench_arguments(argc, argv, "queens", "lace", queens_n_max);
  const struct bench_known known = queens_known(run.n);
  lace_start((unsigned)run.workers, 0);
  RUN(queens, queens_empty(), 0, queens_n_warm);
  bench_spread();
  const double start = bench_now();
  const uint64_t found = RUN(queens, queens_empty(), 0, run.n);
  const double seconds = bench_now() - start;
  lace_stop();
  bench_report(&run, &known, found, seconds);
  return 0;
}
