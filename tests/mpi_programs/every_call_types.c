/* SPDX-License-Identifier: Apache-2.0
 * every_call_types.c: types that a program makes. */
#include <stddef.h>
#include <string.h>

#include "checks.h"

struct particle {
  double place[3];
  int number;
  char kind;
};

static int check_struct(int rank, int size) {
  int wrong = 0, count;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  const int lengths[3] = {3, 1, 1};
  const MPI_Aint places[3] = {offsetof(struct particle, place), offsetof(struct particle, number),
                              offsetof(struct particle, kind)};
  const MPI_Datatype types[3] = {MPI_DOUBLE, MPI_INT, MPI_CHAR};
  MPI_Datatype pieces, whole;
  MPI_Type_create_struct(3, lengths, places, types, &pieces);
  MPI_Type_create_resized(pieces, 0, sizeof(struct particle), &whole);
  MPI_Type_commit(&whole);
  MPI_Aint low, extent, first, second;
  int bytes;
  MPI_Type_size(whole, &bytes);
  MPI_Type_get_extent(whole, &low, &extent);
  CHECK(bytes == 29 && low == 0 && extent == (MPI_Aint)sizeof(struct particle));
  struct particle out[2] = {{{rank, 1, 2}, rank, 'a'}, {{rank, 3, 4}, -rank, 'b'}}, in[2];
  MPI_Get_address(&out[0], &first);
  MPI_Get_address(&out[1], &second);
  CHECK(second - first == extent);
  memset(in, 0, sizeof in);
  MPI_Status got;
  MPI_Sendrecv(out, 2, whole, right, 0, in, 2, whole, left, 0, MPI_COMM_WORLD, &got);
  MPI_Get_count(&got, whole, &count);
  CHECK(count == 2 && in[0].place[0] == left && in[0].place[2] == 2 && in[0].number == left);
  CHECK(in[1].number == -left && in[1].kind == 'b' && in[0].kind == 'a' && in[1].place[1] == 3);
  MPI_Bcast(in, 2, whole, 0, MPI_COMM_WORLD);
  CHECK(in[0].number == size - 1 || size == 1);
  MPI_Type_free(&whole);
  MPI_Type_free(&pieces);
  CHECK(whole == MPI_DATATYPE_NULL);
  return wrong;
}

/* A struct of C is padded at its end, and so is its type. */
static int check_structs(int rank, int right, int left) {
  struct one {
    double x;
    int number;
  } mine[3], theirs[3];
  int wrong = 0;
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, sizeof(double)};
  const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_INT};
  MPI_Aint low, extent;
  MPI_Datatype made, many;
  MPI_Type_create_struct(2, lengths, places, types, &made);
  MPI_Type_commit(&made);
  MPI_Type_get_extent(made, &low, &extent);
  CHECK(low == 0 && extent == (MPI_Aint)sizeof(struct one));
  for (int i = 0; i < 3; ++i) {
    mine[i].x = rank + 0.5 * i;
    mine[i].number = 10 * rank + i;
  }
  MPI_Sendrecv(mine, 3, made, right, 3, theirs, 3, made, left, 3, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i)
    CHECK(theirs[i].x == left + 0.5 * i && theirs[i].number == 10 * left + i);
  MPI_Type_free(&made);
  MPI_Type_contiguous(50000000, MPI_BYTE, &many);
  MPI_Type_get_extent(many, &low, &extent);
  CHECK(extent == 50000000);
  MPI_Type_free(&many);
  return wrong;
}

/* Ranks may describe the same elements by other types. */
static int check_matching(int rank, int size) {
  int wrong = 0, gaps[3] = {rank, -1, 7}, dense[2] = {rank, 7}, all[2 * 64];
  MPI_Datatype two;
  if (size > 64) return 0;
  MPI_Type_vector(2, 1, 2, MPI_INT, &two);
  MPI_Type_commit(&two);
  if (rank % 2 == 0)
    MPI_Allgather(gaps, 1, two, all, 2, MPI_INT, MPI_COMM_WORLD);
  else
    MPI_Allgather(dense, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) CHECK(all[2 * r] == r && all[2 * r + 1] == 7);
  MPI_Type_free(&two);
  return wrong;
}

int check_types(int rank, int size) {
  int wrong = check_struct(rank, size), bytes;
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  MPI_Datatype column, pair, corner;
  double grid[4][5], in[4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j) grid[i][j] = 100 * rank + 10 * i + j;
  MPI_Type_vector(4, 1, 5, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  MPI_Type_size(column, &bytes);
  CHECK(bytes == 4 * (int)sizeof(double));
  /* a column goes out of the grid, and a row of another comes into a column */
  MPI_Sendrecv(&grid[0][1], 1, column, right, 0, in, 4, MPI_DOUBLE, left, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; ++i) CHECK(in[i] == 100 * left + 10 * i + 1);
  MPI_Request two[2];
  MPI_Irecv(&grid[0][4], 1, column, left, 1, MPI_COMM_WORLD, &two[0]);
  MPI_Isend(in, 4, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &two[1]);
  MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  const int further = (left + size - 1) % size;
  for (int i = 0; i < 4; ++i)
    CHECK(grid[i][4] == 100 * further + 10 * i + 1 && grid[i][3] == 100 * rank + 10 * i + 3);
  MPI_Type_free(&column);

  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  int pairs[4] = {rank, 1, rank, 2}, all[4 * 64];
  if (size <= 64) {
    MPI_Allgather(pairs, 2, pair, all, 2, pair, MPI_COMM_WORLD);
    for (int r = 0; r < size; ++r) CHECK(all[4 * r] == r && all[4 * r + 3] == 2);
  }
  MPI_Type_free(&pair);
  const int lengths[2] = {1, 2}, places[2] = {0, 3};
  MPI_Type_indexed(2, lengths, places, MPI_INT, &corner);
  MPI_Type_commit(&corner);
  int five[5] = {rank, -1, -1, 7, 8}, three[3];
  MPI_Sendrecv(five, 1, corner, right, 2, three, 3, MPI_INT, left, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(three[0] == left && three[1] == 7 && three[2] == 8);
  MPI_Type_free(&corner);
  return wrong + check_structs(rank, right, left) + check_matching(rank, size);
}
