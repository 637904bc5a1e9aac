// SPDX-License-Identifier: Apache-2.0
// known.h: fib's known answers. fib(0) = fib(1) = 1, so fib(n) is the Fibonacci number F(n + 1).
#ifndef TERRANE_BENCH_FIB_KNOWN_H
#define TERRANE_BENCH_FIB_KNOWN_H

#include "bench/report.h"

enum { fib_n_max = 50, fib_n_warm = 20 };

/// Computed by additions, not by recursion. Every call is a task: fib(n) makes 2 fib(n) - 1 tasks.
static inline struct bench_known fib_known(int n) {
  uint64_t before = 0;
  uint64_t value = 1;
  for (int i = 0; i < n; i++) {
    const uint64_t next = before + value;
    before = value;
    value = next;
  }
  const struct bench_known known = {value, 2 * value - 1};
  return known;
}

#endif
