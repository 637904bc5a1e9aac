/* SPDX-License-Identifier: Apache-2.0
 * shares.c: has variables that ranks of one process share. */
#include <mpi.h>
#include <stdio.h>

int last_rank = -1;
static double table[100];
const int constant = 3;
static const char* const names[] = {"a", "b"};
static _Thread_local int of_a_thread;

static int calls(void) {
  static int count;
  return ++count;
}

int main(int argc, char** argv) {
  int rank, differs, any;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  last_rank = rank;
  table[0] = rank;
  of_a_thread = rank;
  const int times = calls();
  MPI_Barrier(MPI_COMM_WORLD);
  differs = last_rank != rank || table[0] != rank || of_a_thread != rank || times != 1;
  MPI_Allreduce(&differs, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  if (rank == 0) printf("%s, %s%d\n", any ? "shared" : "each its own", names[0], constant);
  MPI_Finalize();
  return 0;
}
