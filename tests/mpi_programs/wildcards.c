/* SPDX-License-Identifier: Apache-2.0
 * wildcards.c N: rank 0 receives N messages of each other rank, from any and with any tag: those of
 * a sender come in the order of sending, and a probe names the one that is received next. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int n = argc > 1 ? atoi(argv[1]) : 100;
  int wrong = 0;
  if (rank == 0) {
    int* next = calloc((size_t)size, sizeof *next);
    for (int i = 0; i < n * (size - 1); ++i) {
      MPI_Status found, got;
      int value[3], count;
      if (i % 2 == 0) MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found);
      MPI_Recv(value, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &got);
      MPI_Get_count(&got, MPI_INT, &count);
      if (i % 2 == 0) wrong += found.MPI_SOURCE != got.MPI_SOURCE || found.MPI_TAG != got.MPI_TAG;
      wrong += got.MPI_SOURCE != value[0] || got.MPI_TAG != value[1] % 5;
      wrong += count != 2 + value[1] % 2 || value[1] != next[value[0]]++;
    }
    for (int r = 1; r < size; ++r) wrong += next[r] != n;
    free(next);
    printf("wildcards of %d: %d wrong\n", size, wrong);
  } else {
    for (int i = 0; i < n; ++i) {
      const int value[3] = {rank, i, 0};
      MPI_Send(value, 2 + i % 2, MPI_INT, 0, i % 5, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return wrong != 0;
}
