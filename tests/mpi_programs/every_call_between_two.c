/* SPDX-License-Identifier: Apache-2.0
 * every_call_between_two.c: sends, receives and probes. */
#include <stdlib.h>
#include <string.h>

#include "checks.h"

static int check_self(int rank) {
  int wrong = 0, out = rank * 3, in = -1, count;
  MPI_Status got;
  MPI_Request one;
  MPI_Sendrecv(&out, 1, MPI_INT, rank, 4, &in, 1, MPI_INT, rank, 4, MPI_COMM_WORLD, &got);
  CHECK(in == out && got.MPI_SOURCE == rank && got.MPI_TAG == 4);
  MPI_Isend(&out, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &one);
  MPI_Recv(&in, 1, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD, &got);
  CHECK(in == out && got.MPI_SOURCE == rank && got.MPI_TAG == 5);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  MPI_Isend(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &one);
  MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &got);
  MPI_Get_count(&got, MPI_INT, &count);
  CHECK(count == 1 && got.MPI_SOURCE == 0);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &got);
  MPI_Get_count(&got, MPI_INT, &count);
  CHECK(count == 0 && got.MPI_SOURCE == MPI_PROC_NULL && got.MPI_TAG == MPI_ANY_TAG);
  return wrong;
}

static int check_sizes(int rank, int size) {
  int wrong = 0;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  static const int sizes[] = {0, 1, 8, 1000, 16384, 16385, 300000};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    const int n = sizes[k];
    char* out = malloc((size_t)n + 1);
    char* in = malloc((size_t)n + 1);
    memset(out, rank + 1, (size_t)n);
    memset(in, 0, (size_t)n);
    MPI_Status got;
    int count;
    MPI_Sendrecv(out, n, MPI_BYTE, right, 1, in, n, MPI_BYTE, left, 1, MPI_COMM_WORLD, &got);
    MPI_Get_count(&got, MPI_BYTE, &count);
    CHECK(count == n);
    for (int i = 0; i < n; ++i)
      if (in[i] != (char)(left + 1)) {
        CHECK(0);
        break;
      }
    MPI_Sendrecv_replace(out, n, MPI_CHAR, right, 2, left, 2, MPI_COMM_WORLD, &got);
    CHECK(n == 0 || (out[0] == (char)(left + 1) && out[n - 1] == (char)(left + 1)));
    free(out);
    free(in);
  }
  return wrong;
}

int check_between_two(int rank, int size) {
  int wrong = check_self(rank) + check_sizes(rank, size);
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  double value = rank + 0.5, in = 0;
  MPI_Status got;
  if (size > 1) {
    /* each way to send, in turn from even and odd ranks */
    for (int how = 0; how < 4; ++how) {
      if (how == 3) {
        char room[100];
        void* back;
        int bytes;
        MPI_Buffer_attach(room, sizeof room);
        MPI_Bsend(&value, 1, MPI_DOUBLE, right, how, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_DOUBLE, left, how, MPI_COMM_WORLD, &got);
        MPI_Buffer_detach(&back, &bytes);
        CHECK(back == room && bytes == (int)sizeof room);
      } else {
        for (int turn = 0; turn < 2; ++turn)
          if ((rank == 0) == (turn == 0)) {
            if (how == 0) MPI_Send(&value, 1, MPI_DOUBLE, right, how, MPI_COMM_WORLD);
            if (how == 1) MPI_Ssend(&value, 1, MPI_DOUBLE, right, how, MPI_COMM_WORLD);
            if (how == 2) MPI_Rsend(&value, 1, MPI_DOUBLE, right, how, MPI_COMM_WORLD);
          } else {
            MPI_Recv(&in, 1, MPI_DOUBLE, left, how, MPI_COMM_WORLD, &got);
          }
      }
      CHECK(in == left + 0.5 && got.MPI_SOURCE == left && got.MPI_TAG == how);
    }
  }
  /* probes: what is found is what is received; other tags are passed over */
  long two[2] = {rank, 17};
  int flag, count;
  MPI_Request one;
  MPI_Iprobe(left, 90, MPI_COMM_WORLD, &flag, &got);
  CHECK(!flag);
  MPI_Isend(two, 2, MPI_LONG, right, 91, MPI_COMM_WORLD, &one);
  MPI_Probe(MPI_ANY_SOURCE, 91, MPI_COMM_WORLD, &got);
  MPI_Get_count(&got, MPI_LONG, &count);
  CHECK(got.MPI_SOURCE == left && got.MPI_TAG == 91 && count == 2);
  MPI_Get_count(&got, MPI_INT, &count);
  CHECK(count == 4);
  do { MPI_Iprobe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &got); } while (!flag);
  CHECK(got.MPI_TAG == 91);
  long back[3] = {0, 0, 0};
  MPI_Recv(back, 3, MPI_LONG, left, 91, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(back[0] == left && back[1] == 17 && back[2] == 0);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  CHECK(one == MPI_REQUEST_NULL);
  return wrong;
}
