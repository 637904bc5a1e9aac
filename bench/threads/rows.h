/* SPDX-License-Identifier: Apache-2.0
 * rows.h: a row of the table for the peers in C: the median over the rounds of the time per
 * operation. */
#ifndef BENCH_THREADS_ROWS_H
#define BENCH_THREADS_ROWS_H

#include <stdio.h>
#include <stdlib.h>

#include "bench/report.h"

enum { row_operations = 1000000, row_rounds_max = 99 };

static int row_ascending(const void* one, const void* other) {
  const double a = *(const double*)one, b = *(const double*)other;
  return a < b ? -1 : a > b;
}

/* The rounds of the command line, 7 if it names none; 0 if the word is not a number of rounds. */
static int row_rounds(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 7;
  return rounds < 1 || rounds > row_rounds_max ? 0 : rounds;
}

/* Prints `operation,ns`. body: runs the operation so many times. */
static void row(const char* operation, int rounds, void (*body)(long)) {
  double ns[row_rounds_max];
  for (int i = 0; i < rounds; ++i) {
    const double start = bench_cpu_now();
    body(row_operations);
    ns[i] = (bench_cpu_now() - start) * 1e9 / row_operations;
  }
  qsort(ns, (size_t)rounds, sizeof *ns, row_ascending);
  printf("%s,%.2f\n", operation, ns[rounds / 2]);
}

#endif
