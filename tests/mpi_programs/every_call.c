/* SPDX-License-Identifier: Apache-2.0
 * every_call.c: calls every function that the header has, and checks what it does. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"

int main(int argc, char** argv) {
  int wrong = 0, flag, length, version, subversion, provided, rank, size, all;
  char text[MPI_MAX_PROCESSOR_NAME + MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Initialized(&flag);
  CHECK(!flag);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  CHECK(provided == MPI_THREAD_FUNNELED);
  MPI_Query_thread(&provided);
  CHECK(provided == MPI_THREAD_FUNNELED);
  MPI_Initialized(&flag);
  CHECK(flag);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(rank >= 0 && rank < size);
  CHECK(argc == 2 && strcmp(argv[1], "--nodes") == 0); /* arguments are the program's own */
  MPI_Get_processor_name(text, &length);
  CHECK(length > 0 && strlen(text) == (size_t)length);
  MPI_Get_version(&version, &subversion);
  CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  MPI_Get_library_version(text, &length);
  CHECK(length > 0);
  const double start = MPI_Wtime();
  CHECK(MPI_Wtick() > 0 && MPI_Wtime() >= start);

  wrong += check_between_two(rank, size);
  wrong += check_requests(rank, size);
  wrong += check_together(rank, size);
  wrong += check_communicators(rank, size);
  wrong += check_types(rank, size);

  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalized(&flag);
  CHECK(!flag);
  if (rank == 0) printf("every call by %d: %d wrong\n", size, all);
  MPI_Finalize();
  MPI_Finalized(&flag);
  CHECK(flag);
  return wrong != 0;
}
