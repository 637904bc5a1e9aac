/* SPDX-License-Identifier: Apache-2.0
 * ring.c ROUNDS: a number goes round, and each rank adds its own. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, size, rounds = 10;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc > 1) rounds = atoi(argv[1]);
  long sum = 0;
  for (int i = 0; i < rounds; ++i) {
    if (rank == 0) {
      MPI_Send(&sum, 1, MPI_LONG, (rank + 1) % size, 7, MPI_COMM_WORLD);
      MPI_Recv(&sum, 1, MPI_LONG, size - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(&sum, 1, MPI_LONG, rank - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      sum += rank;
      MPI_Send(&sum, 1, MPI_LONG, (rank + 1) % size, 7, MPI_COMM_WORLD);
    }
  }
  if (rank == 0) printf("ring of %d: %ld\n", size, sum);
  MPI_Finalize();
  return 0;
}
