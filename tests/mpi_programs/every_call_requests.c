/* SPDX-License-Identifier: Apache-2.0
 * every_call_requests.c: requests, one and many. */
#include "checks.h"

enum { many = 8 };

static int check_waits(int rank, int size) {
  int wrong = 0, in[many], out[many], done, flag, which, indices[2 * many];
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request all[2 * many];
  MPI_Status got[2 * many];
  for (int how = 0; how < 6; ++how) {
    for (int i = 0; i < many; ++i) {
      in[i] = -1;
      out[i] = 100 * rank + 10 * how + i;
      MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &all[i]);
    }
    for (int i = many; i-- != 0;)
      if (how % 2 == 0)
        MPI_Isend(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &all[many + i]);
      else
        MPI_Issend(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &all[many + i]);
    if (how == 0) {
      MPI_Waitall(2 * many, all, got);
      for (int i = 0; i < many; ++i) CHECK(got[i].MPI_TAG == i && got[i].MPI_SOURCE == left);
    } else if (how == 1) {
      for (int i = 0; i < 2 * many; ++i) MPI_Wait(&all[i], &got[i]);
    } else if (how == 2) {
      for (int i = 0; i < 2 * many; ++i) {
        MPI_Waitany(2 * many, all, &which, &got[0]);
        CHECK(which >= 0 && which < 2 * many && all[which] == MPI_REQUEST_NULL);
        if (which < many) CHECK(got[0].MPI_TAG == which);
      }
      MPI_Waitany(2 * many, all, &which, MPI_STATUS_IGNORE);
      CHECK(which == MPI_UNDEFINED);
    } else if (how == 3) {
      int sum = 0;
      while (sum < 2 * many) {
        MPI_Waitsome(2 * many, all, &done, indices, got);
        CHECK(done > 0);
        for (int i = 0; i < done; ++i)
          if (indices[i] < many) CHECK(got[i].MPI_TAG == indices[i]);
        sum += done;
      }
      MPI_Waitsome(2 * many, all, &done, indices, MPI_STATUSES_IGNORE);
      CHECK(done == MPI_UNDEFINED);
    } else if (how == 4) {
      for (flag = 0; !flag;) MPI_Testall(2 * many, all, &flag, got);
    } else {
      for (int left_over = 2 * many; left_over != 0;) {
        MPI_Testany(many, all, &which, &flag, &got[0]);
        if (flag && which != MPI_UNDEFINED) --left_over;
        MPI_Testsome(many, all + many, &done, indices, got);
        if (done != MPI_UNDEFINED) left_over -= done;
      }
    }
    for (int i = 0; i < 2 * many; ++i) CHECK(all[i] == MPI_REQUEST_NULL);
    for (int i = 0; i < many; ++i) CHECK(in[i] == 100 * left + 10 * how + i);
  }
  return wrong;
}

int check_requests(int rank, int size) {
  int wrong = check_waits(rank, size), flag = 0, in = -1, out = rank;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Request null = MPI_REQUEST_NULL, two[2];
  MPI_Status got;
  MPI_Wait(&null, &got);
  CHECK(got.MPI_SOURCE == MPI_ANY_SOURCE);
  MPI_Test(&null, &flag, MPI_STATUS_IGNORE);
  CHECK(flag);

  MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 50, MPI_COMM_WORLD, &two[0]);
  MPI_Test(&two[0], &flag, &got);
  CHECK(!flag || size == 1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(&out, 1, MPI_INT, right, 50, MPI_COMM_WORLD, &two[1]);
  while (!flag) MPI_Test(&two[0], &flag, &got);
  CHECK(in == left && got.MPI_SOURCE == left);
  MPI_Wait(&two[1], MPI_STATUS_IGNORE);

  MPI_Send_init(&out, 1, MPI_INT, right, 51, MPI_COMM_WORLD, &two[0]);
  MPI_Recv_init(&in, 1, MPI_INT, left, 51, MPI_COMM_WORLD, &two[1]);
  for (int i = 0; i < 3; ++i) {
    out = 10 * rank + i;
    if (i == 1) {
      MPI_Start(&two[0]);
      MPI_Start(&two[1]);
    } else {
      MPI_Startall(2, two);
    }
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    CHECK(in == 10 * left + i && two[0] != MPI_REQUEST_NULL);
  }
  MPI_Request_free(&two[0]);
  MPI_Request_free(&two[1]);
  CHECK(two[0] == MPI_REQUEST_NULL);
  for (int i = 0; i < 100; ++i) { /* nobody waits for these */
    MPI_Isend(&out, 1, MPI_INT, right, 52, MPI_COMM_WORLD, &null);
    MPI_Request_free(&null);
  }
  for (int i = 0; i < 100; ++i) {
    MPI_Recv(&in, 1, MPI_INT, left, 52, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in == 10 * left + 2);
  }
  return wrong;
}
