// SPDX-License-Identifier: Apache-2.0
// mpi.c ROW BYTES COUNT: the same rows by MPI; built once with each library's mpicc.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { tag = 7, window_max = 64 };
static int rank;

static void compare(const unsigned char* got, long number) {
  long found;
  memcpy(&found, got, sizeof found);
  if (found == number) return;
  fprintf(stderr, "chant/mpi: message %ld is wrong\n", number);
  exit(1);
}

/* To this process itself. */
static void self(unsigned char* mine, unsigned char* got, int bytes, long count) {
  for (long i = 0; i < count; i++) {
    MPI_Request sent;
    memcpy(mine, &i, sizeof i);
    MPI_Isend(mine, bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, &sent);
    MPI_Recv(got, bytes, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    compare(got, i);
  }
}

static void play(unsigned char* mine, unsigned char* got, int bytes, long count) {
  for (long i = 0; i < count; i++) {
    memcpy(mine, &i, sizeof i);
    if (rank == 0) MPI_Send(mine, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
    MPI_Recv(got, bytes, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    compare(got, i);
    if (rank == 1) MPI_Send(mine, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
  }
}

static void stream(int bytes, long count, int window) {
  unsigned char* const all = calloc((size_t)window, (size_t)bytes);
  MPI_Request under_way[window_max];
  MPI_Status ignored[window_max];
  for (long i = 0; i < count; i += window) {
    for (int j = 0; j < window; j++) {
      unsigned char* const one = all + (size_t)j * (size_t)bytes;
      const long number = i + j;
      if (rank == 0) {
        memcpy(one, &number, sizeof number);
        MPI_Isend(one, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &under_way[j]);
      } else {
        MPI_Irecv(one, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &under_way[j]);
      }
    }
    MPI_Waitall(window, under_way, ignored);
    for (int j = 0; rank == 1 && j < window; j++) compare(all + (size_t)j * (size_t)bytes, i + j);
  }
  long done = 0;
  if (rank == 0)
    MPI_Recv(&done, 1, MPI_LONG, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Send(&done, 1, MPI_LONG, 0, tag, MPI_COMM_WORLD);
  free(all);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = atoi(argv[2]);
  const long count = atol(argv[3]);
  unsigned char *const mine = calloc(1, (size_t)bytes + 8), *const got =
                                                                calloc(1, (size_t)bytes + 8);
  double each = (double)count;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (strcmp(argv[1], "pair") == 0) {
    self(mine, got, bytes, count);
  } else if (strcmp(argv[1], "processes") == 0) {
    play(mine, got, bytes, count);
    each *= 2;
  } else if (strcmp(argv[1], "stream") == 0) {
    stream(bytes, count, bytes > 1024 ? 8 : 64);
  } else {
    for (long i = 0; i < count; i++) MPI_Barrier(MPI_COMM_WORLD);
  }
  if (rank == 0) printf("%.3f\n", (MPI_Wtime() - start) / each * 1e9);
  free(mine);
  free(got);
  MPI_Finalize();
  return 0;
}
