// SPDX-License-Identifier: Apache-2.0
// kernel.h: a grid of n x n cells; each needs the one above it and the one to its left.
//
// Problem     A cell is a task that is made when both others are there: the figure is the price of
//             a node of a graph of tasks with two dependences. The work in it is a few
//             instructions.
// Invariants  `missing` counts what a cell still needs. Who computes a cell decrements its
//             neighbours' with release and acquire, so that who makes it ready has seen both
//             values.
// Language    C11 and C++20, with the compilers' atomics. bench/wavefront/rayon.rs: in Rust.
#ifndef TERRANE_BENCH_WAVEFRONT_KERNEL_H
#define TERRANE_BENCH_WAVEFRONT_KERNEL_H

#include <stdint.h>
#include <stdlib.h>

#include "bench/report.h"

enum { wavefront_n_max = 20000, wavefront_n_warm = 64 };

struct wavefront_grid {
  int n;
  uint32_t* value;
  uint8_t* missing;
};

static inline struct wavefront_grid wavefront_make(int n) {
  const struct wavefront_grid made = {n, (uint32_t*)calloc((size_t)n * (size_t)n, sizeof(uint32_t)),
                                      (uint8_t*)calloc((size_t)n * (size_t)n, 1)};
  if (!made.value || !made.missing) abort();
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      made.missing[i * n + j] = (uint8_t)((i > 0) + (j > 0));
      made.value[i * n + j] = 1;  // touched before the clock starts
    }
  return made;
}

static inline void wavefront_free(const struct wavefront_grid* grid) {
  free(grid->value);
  free(grid->missing);
}

static inline void wavefront_compute(const struct wavefront_grid* grid, int i, int j) {
  const long at = (long)i * grid->n + j;
  const uint32_t above = i > 0 ? grid->value[at - grid->n] : 1;
  const uint32_t left = j > 0 ? grid->value[at - 1] : 1;
  grid->value[at] = 31 * above + 17 * left + (uint32_t)(i ^ j);
}

/// Says that one of the neighbours of cell (i, j) is there; true if it was the last one missing.
static inline int wavefront_is_ready(const struct wavefront_grid* grid, int i, int j) {
  if (i == grid->n || j == grid->n) return 0;
  return __atomic_fetch_sub(&grid->missing[(long)i * grid->n + j], 1, __ATOMIC_ACQ_REL) == 1;
}

static inline uint64_t wavefront_last(const struct wavefront_grid* grid) {
  return grid->value[(long)grid->n * grid->n - 1];
}

/// answer: the last cell, computed row by row. tasks: the cells.
static inline struct bench_known wavefront_known(int n) {
  uint32_t* const row = (uint32_t*)malloc((size_t)n * sizeof(uint32_t));
  if (!row) abort();
  for (int j = 0; j < n; j++) row[j] = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      row[j] = 31 * row[j] + 17 * (j > 0 ? row[j - 1] : 1) + (uint32_t)(i ^ j);
  const struct bench_known known = {row[n - 1], (uint64_t)n * (uint64_t)n};
  free(row);
  return known;
}

#endif
