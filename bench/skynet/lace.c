// SPDX-License-Identifier: Apache-2.0
// lace.c: skynet with Lace's SPAWN and SYNC.
#include <lace.h>

#include "bench/skynet/kernel.h"
#include "bench/spread.h"

TASK_2(uint64_t, sum_below, uint64_t, first, uint64_t, leaves) {
  if (leaves == 1) return first;
  const uint64_t each = leaves / skynet_children;
  for (int i = 0; i < skynet_children; i++) SPAWN(sum_below, first + (uint64_t)i * each, each);
  uint64_t sum = 0;
  for (int i = 0; i < skynet_children; i++) sum += SYNC(sum_below);
  return sum;
}

int main(int argc, char** argv) {
  const struct bench_run run = bench_arguments(argc, argv, "skynet", "lace", skynet_n_max);
  const struct bench_known known = skynet_known(run.n);
  lace_set_stacksize(64 << 20);
  lace_start((unsigned)run.workers, 0);
  RUN(sum_below, 0, skynet_leaves(skynet_n_warm));
  bench_spread();
  const double start = bench_now();
  const uint64_t found = RUN(sum_below, 0, skynet_leaves(run.n));
  const double seconds = bench_now() - start;
  lace_stop();
  bench_report(&run, &known, found, seconds);
  return 0;
}
