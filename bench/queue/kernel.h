// SPDX-License-Identifier: Apache-2.0
// kernel.h: producers and consumers around one bounded queue.
//
// Problem     Four producers send n times 1,000 numbers together, four consumers take and add them;
//             the queue holds 64. The figure is the price of a number that is sent and taken.
// Workers     Libraries whose threads are the system's get `workers` processors by affinity.
// Language    C11 and C++20. queue/go.go and queue/rayon.rs do the same.
#ifndef TERRANE_BENCH_QUEUE_KERNEL_H
#define TERRANE_BENCH_QUEUE_KERNEL_H

#include <sched.h>
#include <stdint.h>

#include "bench/report.h"

enum {
  queue_n_max = 1000000,
  queue_n_warm = 4,
  queue_parties = 4,  // producers, and consumers
  queue_room = 64
};

/// The numbers that producer `which` sends: from here, one for each item, without gaps.
static inline uint64_t queue_first(int n, int which) {
  return (uint64_t)n * 1000 * (uint64_t)which / queue_parties;
}

static inline struct bench_known queue_known(int n) {
  const uint64_t items = (uint64_t)n * 1000;
  const struct bench_known known = {items / 2 * (items - 1), items};
  return known;
}

/// Leaves this process the first `workers` of its processors.
static inline void queue_confine(int workers) {
  cpu_set_t allowed, few;
  CPU_ZERO(&few);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int i = 0; i < CPU_SETSIZE && workers > 0; i++)
    if (CPU_ISSET(i, &allowed)) {
      CPU_SET(i, &few);
      workers--;
    }
  sched_setaffinity(0, sizeof few, &few);
}

#endif
