// SPDX-License-Identifier: Apache-2.0
// kernel.h: mergesort of 2^n numbers of 64 bits; halves are tasks, and so are the halves of merges.
//
// Problem     Pieces of at most mergesort_leaf numbers are sorted, and merged, serially. The result
//             of a sort lies in the array or in the room beside it, as the caller wants it, so that
//             nothing is copied between levels.
// Language    C11 and C++20. bench/mergesort/rayon.rs does the same in Rust.
#ifndef TERRANE_BENCH_MERGESORT_KERNEL_H
#define TERRANE_BENCH_MERGESORT_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "bench/report.h"

enum { mergesort_n_max = 27, mergesort_n_warm = 15, mergesort_leaf = 2048 };

static inline uint64_t mergesort_mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

static inline void mergesort_fill(uint64_t* all, size_t count) {
  for (size_t i = 0; i < count; i++) all[i] = mergesort_mixed(i);
}

/// The same for every order of the numbers, if they are in ascending order; else 0.
static inline uint64_t mergesort_check(const uint64_t* all, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (i > 0 && all[i - 1] > all[i]) return 0;
    sum += mergesort_mixed(all[i]);
  }
  return sum;
}

static inline void mergesort_merge(const uint64_t* left, size_t lefts, const uint64_t* right,
                                   size_t rights, uint64_t* to) {
  size_t i = 0, j = 0;
  while (i < lefts && j < rights) {
    const uint64_t a = left[i], b = right[j];
    const int second = b < a;
    *to++ = second ? b : a;
    j += (size_t)second;
    i += (size_t)!second;
  }
  memcpy(to, left + i, (lefts - i) * sizeof *to);
  memcpy(to + (lefts - i), right + j, (rights - j) * sizeof *to);
}

/// Sorts `all`; the result lies in `room` if `to_room`, else in `all`.
static inline void mergesort_serial(uint64_t* all, uint64_t* room, size_t count, int to_room) {
  if (count <= 16) {
    for (size_t i = 1; i < count; i++) {
      const uint64_t one = all[i];
      size_t place = i;
      for (; place > 0 && all[place - 1] > one; place--) all[place] = all[place - 1];
      all[place] = one;
    }
    if (to_room) memcpy(room, all, count * sizeof *all);
    return;
  }
  const size_t half = count / 2;
  mergesort_serial(all, room, half, !to_room);
  mergesort_serial(all + half, room + half, count - half, !to_room);
  const uint64_t* const from = to_room ? all : room;
  mergesort_merge(from, half, from + half, count - half, to_room ? room : all);
}

/// How many of the ascending numbers are below `bound`.
static inline size_t mergesort_below(const uint64_t* all, size_t count, uint64_t bound) {
  size_t first = 0;
  while (count > 0) {
    const size_t half = count / 2;
    if (all[first + half] < bound) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

/// answer: the check of what is to be sorted. tasks: the numbers.
static inline struct bench_known mergesort_known(int n) {
  struct bench_known known = {0, (uint64_t)1 << n};
  for (uint64_t i = 0; i < known.tasks; i++) known.answer += mergesort_mixed(mergesort_mixed(i));
  return known;
}

#endif
