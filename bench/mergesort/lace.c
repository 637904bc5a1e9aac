// SPDX-License-Identifier: Apache-2.0
// lace.c: mergesort with Lace's SPAWN and SYNC.
#include <lace.h>

#include "bench/mergesort/kernel.h"
#include "bench/spread.h"

VOID_TASK_5(merge, const uint64_t*, left, size_t, lefts, const uint64_t*, right, size_t, rights,
            uint64_t*, to) {
  if (lefts < rights) {
    CALL(merge, right, rights, left, lefts, to);
  } else if (lefts + rights <= mergesort_leaf) {
    mergesort_merge(left, lefts, right, rights, to);
  } else {
    const size_t half = lefts / 2;
    const size_t below = mergesort_below(right, rights, left[half]);
    SPAWN(merge, left, half, right, below, to);
    CALL(merge, left + half, lefts - half, right + below, rights - below, to + half + below);
    SYNC(merge);
  }
}

VOID_TASK_4(sort, uint64_t*, all, uint64_t*, room, size_t, count, int, to_room) {
  if (count <= mergesort_leaf) {
    mergesort_serial(all, room, count, to_room);
    return;
  }
  const size_t half = count / 2;
  SPAWN(sort, all, room, half, !to_room);
  CALL(sort, all + half, room + half, count - half, !to_room);
  SYNC(sort);
  const uint64_t* const from = to_room ? all : room;
  CALL(merge, from, half, from + half, count - half, to_room ? room : all);
}

int main(int argc, char** argv) {
  const struct bench_run run = bench_arguments(argc, argv, "mergesort", "lace", mergesort_n_max);
  const struct bench_known known = mergesort_known(run.n);
  lace_set_stacksize(64 << 20);
  lace_start((unsigned)run.workers, 0);
  const size_t count = (size_t)1 << run.n;
  uint64_t* const all = (uint64_t*)malloc(2 * count * sizeof *all);
  if (!all) abort();
  mergesort_fill(all, count);
  mergesort_fill(all + count, count);  // touched before the clock starts
  const size_t few = (size_t)1 << (run.n < mergesort_n_warm ? run.n : mergesort_n_warm);
  RUN(sort, all, all + count, few, 0);
  mergesort_fill(all, count);
  bench_spread();
  const double start = bench_now();
  RUN(sort, all, all + count, count, 0);
  const double seconds = bench_now() - start;
  const uint64_t found = mergesort_check(all, count);
  free(all);
  lace_stop();
  bench_report(&run, &known, found, seconds);
  return 0;
}
