// SPDX-License-Identifier: Apache-2.0
// kernel.h: skynet: a tree of ten children, n levels high, whose leaves are numbered; their sum.
//
// Problem     Every node is a task: with n = 6 a million leaves and 1,111,111 tasks that do nothing
//             else. The figure is the price of a task with nine siblings.
// Source      The Go benchmark of that name; its answer for n = 6 is 499,999,500,000.
// Language    C11 and C++20.
#ifndef TERRANE_BENCH_SKYNET_KERNEL_H
#define TERRANE_BENCH_SKYNET_KERNEL_H

#include <stdint.h>

#include "bench/report.h"

enum { skynet_n_max = 9, skynet_n_warm = 3, skynet_children = 10 };

static inline uint64_t skynet_leaves(int n) {
  uint64_t leaves = 1;
  for (int i = 0; i < n; i++) leaves *= skynet_children;
  return leaves;
}

static inline struct bench_known skynet_known(int n) {
  const uint64_t leaves = skynet_leaves(n);
  const struct bench_known known = {
      leaves % 2 == 0 ? leaves / 2 * (leaves - 1) : (leaves - 1) / 2 * leaves,
      (leaves * skynet_children - 1) / 9};
  return known;
}

#endif
