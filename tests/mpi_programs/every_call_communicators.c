/* SPDX-License-Identifier: Apache-2.0
 * every_call_communicators.c: communicators, grids and errors that are returned. */
#include <string.h>

#include "checks.h"

static int check_grid(int rank, int size) {
  int wrong = 0, sizes[2] = {0, 0}, periods[2] = {1, 0}, at[2], there, up, down, before, after;
  MPI_Comm grid;
  MPI_Dims_create(size, 2, sizes);
  CHECK(sizes[0] * sizes[1] == size && sizes[0] >= sizes[1]);
  int three[3] = {0, 0, 0};
  MPI_Dims_create(20, 3, three);
  CHECK(three[0] == 5 && three[1] == 2 && three[2] == 2);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, at);
  CHECK(at[0] == rank / sizes[1] && at[1] == rank % sizes[1]);
  MPI_Cart_rank(grid, at, &there);
  CHECK(there == rank);
  MPI_Cart_shift(grid, 0, 1, &up, &down);
  CHECK(down == (rank + sizes[1]) % size && up == (rank - sizes[1] + size) % size);
  MPI_Cart_shift(grid, 1, 1, &before, &after);
  CHECK(before == (at[1] == 0 ? MPI_PROC_NULL : rank - 1));
  CHECK(after == (at[1] == sizes[1] - 1 ? MPI_PROC_NULL : rank + 1));
  int in = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, down, 0, &in, 1, MPI_INT, up, 0, grid, MPI_STATUS_IGNORE);
  CHECK(in == up);
  MPI_Comm_free(&grid);
  CHECK(grid == MPI_COMM_NULL);
  return wrong;
}

int check_communicators(int rank, int size) {
  int wrong = check_grid(rank, size), result, there, its_size, sum, in = -1;
  MPI_Comm twin, half;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &result);
  CHECK(result == MPI_IDENT);
  MPI_Comm_compare(MPI_COMM_WORLD, twin, &result);
  CHECK(result == MPI_CONGRUENT);
  /* messages of one are not heard in the other */
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int one = 1, two = 2;
  MPI_Request sends[2];
  MPI_Isend(&one, 1, MPI_INT, right, 9, MPI_COMM_WORLD, &sends[0]);
  MPI_Isend(&two, 1, MPI_INT, right, 9, twin, &sends[1]);
  MPI_Recv(&in, 1, MPI_INT, left, MPI_ANY_TAG, twin, MPI_STATUS_IGNORE);
  CHECK(in == 2);
  MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in == 1);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&twin);
  CHECK(twin == MPI_COMM_NULL);

  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half); /* the last first */
  MPI_Comm_rank(half, &there);
  MPI_Comm_size(half, &its_size);
  CHECK(its_size == (size + 1 - rank % 2) / 2 && there == its_size - 1 - rank / 2);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
  CHECK(sum == its_size * (its_size - 1) + its_size * (rank % 2));
  MPI_Comm_compare(MPI_COMM_WORLD, half, &result);
  CHECK(result == (size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  MPI_Comm_free(&half);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, 0, &half);
  CHECK((half == MPI_COMM_NULL) == (rank == 0));
  if (half != MPI_COMM_NULL) {
    MPI_Comm_rank(half, &there);
    CHECK(there == rank - 1);
    MPI_Comm_free(&half);
  }

  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  CHECK(handler == MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
  CHECK(handler == MPI_ERRORS_RETURN);
  const int code = MPI_Send(&one, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
  int of_code, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Error_class(code, &of_code);
  MPI_Error_string(code, text, &length);
  CHECK(of_code == MPI_ERR_RANK && strlen(text) == (size_t)length);
  CHECK(MPI_Recv(&one, 1, MPI_INT, 0, -7, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_ERR_TAG);
  CHECK(MPI_Bcast(&one, 1, MPI_INT, -1, MPI_COMM_WORLD) == MPI_ERR_ROOT);
  CHECK(MPI_Send(&one, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
#ifdef TERRANE_MPI /* of others, handles that are none are not found out */
  CHECK(MPI_Send(&one, 1, 12345, 0, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
  CHECK(MPI_Barrier(4711) == MPI_ERR_COMM);
#endif
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  return wrong;
}
