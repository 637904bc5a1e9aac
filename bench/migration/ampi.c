// SPDX-License-Identifier: Apache-2.0
// ampi.c: moves a rank of AMPI, a thread that migrates with its stack, between two processes.
// Prints the microseconds one way, the median of ROUNDS rounds, to compare with the rows of
// terrane.cpp.
//
//   charmrun ++local +p2 ampi BYTES TIMES ROUNDS +vp1 +ampiEnableMigrateToPe +tcharm_stacksize ...
//
// One way is half the time there and back of the only rank, with BYTES in use on its stack, which
// are checked afterwards. AMPI sends a stack whole: choose a stack size only a little above BYTES.
#include <alloca.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/report.h"

enum { rounds_max = 99 };

static __attribute__((noinline)) void there_and_back(int times) {
  for (int i = 0; i < times; ++i) {
    AMPI_Migrate_to_pe(1);
    AMPI_Migrate_to_pe(0);
  }
}

static __attribute__((noinline)) double one_way_us(size_t bytes, int times) {
  volatile char* const used = alloca(bytes + 1);
  for (size_t at = 0; at < bytes; at += 64) used[at] = (char)at;
  there_and_back(times / 10 + 1);
  const double start = bench_now();
  there_and_back(times);
  const double seconds = bench_now() - start;
  for (size_t at = 0; at < bytes; at += 64)
    if (used[at] != (char)at) abort();
  return 1e6 * seconds / (2.0 * times);
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const struct bench_run run = {"migration", "ampi", 2, 0};
  if (argc != 4) {
    fprintf(stderr, "migration/ampi: give three arguments, BYTES TIMES ROUNDS\n");
    return 2;
  }
  const int bytes = bench_number(&run, "BYTES", argv[1], 1 << 24);
  const int times = bench_number(&run, "TIMES", argv[2], 1 << 20);
  const int rounds = bench_number(&run, "ROUNDS", argv[3], rounds_max);
  double us[rounds_max];
  for (int round = 0; round < rounds; ++round) us[round] = one_way_us((size_t)bytes, times);
  qsort(us, (size_t)rounds, sizeof(double), by_size);
  printf("us,%.3f\n", us[rounds / 2]);
  MPI_Finalize();
  return 0;
}
