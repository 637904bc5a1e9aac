// SPDX-License-Identifier: Apache-2.0
// lace.c: uts with Lace's SPAWN and SYNC.
#include <lace.h>

#include "bench/spread.h"
#include "bench/uts/kernel.h"

TASK_2(uint64_t, nodes_below, int, n, struct uts_node, node) {
  const int children = uts_children(n, &node);
  for (int i = 0; i < children; i++) SPAWN(nodes_below, n, uts_child(&node, i));
  uint64_t nodes = 1;
  for (int i = 0; i < children; i++) nodes += SYNC(nodes_below);
  return nodes;
}

int main(int argc, char** argv) {
  const struct bench_run run = bench_arguments(argc, argv, "uts", "lace", uts_n_max);
  const struct bench_known known = uts_known(run.n);
  lace_set_stacksize(64 << 20);
  lace_start((unsigned)run.workers, 0);
  RUN(nodes_below, uts_n_warm, uts_root(uts_n_warm));
  bench_spread();
  const double start = bench_now();
  const uint64_t found = RUN(nodes_below, run.n, uts_root(run.n));
  const double seconds = bench_now() - start;
  lace_stop();
  bench_report(&run, &known, found, seconds);
  return 0;
}
