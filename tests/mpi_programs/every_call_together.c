/* SPDX-License-Identifier: Apache-2.0
 * every_call_together.c: collectives. */
#include <complex.h>
#include <stdlib.h>

#include "checks.h"

enum { prime = 9973 };

/* x -> (m x + c) modulo a prime: first `in`, then `in_out`. The order matters. */
static void one_after_the_other(void* in, void* in_out, int* count, MPI_Datatype* type) {
  int *first = in, *then = in_out;
  (void)type;
  for (int i = 0; i + 1 < *count; i += 2) {
    then[i + 1] = (then[i] * first[i + 1] + then[i + 1]) % prime;
    then[i] = then[i] * first[i] % prime;
  }
}

static int check_own_operation(int rank, int size) {
  int wrong = 0, all[2] = {1, 0}, upto[2] = {1, 0}, before[2] = {1, 0}, got[2] = {-1, -1};
  int mine[2] = {rank + 2, 3 * rank + 1}, count = 2;
  MPI_Datatype type = MPI_INT;
  MPI_Op op;
  MPI_Op_create(one_after_the_other, 0, &op);
  for (int r = 0; r < size; ++r) {
    int next[2] = {r + 2, 3 * r + 1};
    if (r == rank) before[0] = all[0], before[1] = all[1];
    one_after_the_other(all, next, &count, &type);
    all[0] = next[0], all[1] = next[1];
    if (r == rank) upto[0] = all[0], upto[1] = all[1];
  }
  MPI_Allreduce(mine, got, 2, MPI_INT, op, MPI_COMM_WORLD);
  CHECK(got[0] == all[0] && got[1] == all[1]);
  got[0] = -1;
  MPI_Reduce(mine, got, 2, MPI_INT, op, 0, MPI_COMM_WORLD);
  CHECK(rank != 0 || (got[0] == all[0] && got[1] == all[1]));
  MPI_Scan(mine, got, 2, MPI_INT, op, MPI_COMM_WORLD);
  CHECK(got[0] == upto[0] && got[1] == upto[1]);
  MPI_Exscan(mine, got, 2, MPI_INT, op, MPI_COMM_WORLD);
  CHECK(rank == 0 || (got[0] == before[0] && got[1] == before[1]));
  MPI_Op_free(&op);
  CHECK(op == MPI_OP_NULL);
  return wrong;
}

static int check_reductions(int rank, int size) {
  int wrong = 0;
  const int n = size * (size + 1) / 2;
  int mine[3] = {rank + 1, -rank, rank == 0}, all[3] = {0, 0, 0};
  MPI_Reduce(mine, all, 3, MPI_INT, MPI_SUM, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1) CHECK(all[0] == n && all[1] == size - n && all[2] == 1);
  MPI_Allreduce(mine, all, 3, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(all[0] == size && all[1] == 0 && all[2] == 1);
  MPI_Allreduce(mine, all, 3, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  CHECK(all[0] == 1 && all[1] == 1 - size && all[2] == (size == 1));
  MPI_Allreduce(mine, all, 3, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  CHECK(all[0] == 1 && all[2] == 1);
  MPI_Allreduce(mine, all, 3, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  CHECK(all[0] == 1 && all[2] == (size == 1));
  MPI_Allreduce(mine, all, 3, MPI_INT, MPI_LXOR, MPI_COMM_WORLD);
  CHECK(all[0] == size % 2 && all[2] == 1);
  unsigned bits = 1u << rank % 30, some;
  MPI_Allreduce(&bits, &some, 1, MPI_UNSIGNED, MPI_BOR, MPI_COMM_WORLD);
  CHECK(size > 30 || some == (1u << size) - 1);
  MPI_Allreduce(&bits, &some, 1, MPI_UNSIGNED, MPI_BAND, MPI_COMM_WORLD);
  CHECK(some == (size == 1));
  MPI_Allreduce(&bits, &some, 1, MPI_UNSIGNED, MPI_BXOR, MPI_COMM_WORLD);
  CHECK(size > 30 || some == (1u << size) - 1);
  double product = rank % 2 == 0 ? 2 : 0.5, whole;
  MPI_Allreduce(&product, &whole, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  CHECK(whole == (size % 2 == 0 ? 1 : 2));
  struct {
    double value;
    int place;
  } best = {rank % 3, rank}, found;
  MPI_Allreduce(&best, &found, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK(found.value == (size > 2 ? 2 : size - 1) && found.place == (size > 2 ? 2 : size - 1));
  MPI_Allreduce(&best, &found, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  CHECK(found.value == 0 && found.place == 0);
  double complex z = rank + 1 - 2.0 * rank * I, sum;
  MPI_Allreduce(&z, &sum, 1, MPI_C_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD);
  CHECK(creal(sum) == n && cimag(sum) == -2.0 * (n - size));
  int own = rank + 1; /* in place */
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(own == n);
  own = rank + 1;
  if (rank == 0)
    MPI_Reduce(MPI_IN_PLACE, &own, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  else
    MPI_Reduce(&own, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) CHECK(own == n);
  const int last = rank + 1;
  own = -1;
  MPI_Scan(&last, &own, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(own == (rank + 1) * (rank + 2) / 2);
  own = -1;
  MPI_Exscan(&last, &own, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(own == (rank == 0 ? -1 : rank * (rank + 1) / 2));
  own = rank + 1;
  MPI_Scan(MPI_IN_PLACE, &own, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(own == (rank + 1) * (rank + 2) / 2);
  MPI_Request one;
  MPI_Iallreduce(&last, &own, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &one);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  CHECK(own == n);
  return wrong;
}

static int check_shares(int rank, int size) {
  int wrong = 0;
  const size_t n = (size_t)size;
  int* all = malloc(3 * n * n * sizeof *all);
  int* counts = malloc(n * sizeof *counts);
  int* places = malloc(n * sizeof *places);
  int* other = malloc(3 * n * n * sizeof *other);
  int two[2] = {rank, -rank}, whole = 0;
  for (int r = 0; r < size; ++r) {
    counts[r] = r + 1;
    places[r] = whole;
    whole += r + 1;
  }
  MPI_Gather(two, 2, MPI_INT, all, 2, MPI_INT, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1)
    for (int r = 0; r < size; ++r) CHECK(all[2 * r] == r && all[2 * r + 1] == -r);
  MPI_Allgather(two, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) CHECK(all[2 * r] == r && all[2 * r + 1] == -r);
  for (int r = 0; r < size; ++r) all[r] = -1;
  all[rank] = rank;
  MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) CHECK(all[r] == r);
  two[0] = two[1] = -1;
  for (int r = 0; r < size; ++r) all[2 * r] = 2 * r, all[2 * r + 1] = 2 * r + 1;
  MPI_Scatter(all, 2, MPI_INT, two, 2, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(two[0] == 2 * rank && two[1] == 2 * rank + 1);
  if (rank == 0)
    MPI_Scatter(all, 2, MPI_INT, MPI_IN_PLACE, 2, MPI_INT, 0, MPI_COMM_WORLD);
  else
    MPI_Scatter(NULL, 2, MPI_INT, two, 2, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(two[1] == 2 * rank + 1);

  for (int i = 0; i <= rank; ++i) other[i] = 100 * rank + i;
  MPI_Gatherv(other, rank + 1, MPI_INT, all, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; rank == 0 && r < size; ++r)
    for (int i = 0; i <= r; ++i) CHECK(all[places[r] + i] == 100 * r + i);
  for (int i = 0; i < whole; ++i) all[i] = -1;
  MPI_Allgatherv(other, rank + 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i <= r; ++i) CHECK(all[places[r] + i] == 100 * r + i);
  MPI_Scatterv(all, counts, places, MPI_INT, other, rank + 1, MPI_INT, size - 1, MPI_COMM_WORLD);
  for (int i = 0; i <= rank; ++i) CHECK(other[i] == 100 * rank + i);

  for (int r = 0; r < size; ++r) all[r] = 100 * rank + r;
  MPI_Alltoall(all, 1, MPI_INT, other, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) CHECK(other[r] == 100 * r + rank);
  MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) CHECK(all[r] == 100 * r + rank);
  /* rank r sends to each as many as its own number says, plus one */
  int* into_counts = malloc(n * sizeof *into_counts);
  int* into_places = malloc(n * sizeof *into_places);
  for (int r = 0; r < size; ++r) {
    into_counts[r] = rank + 1;
    into_places[r] = r * (rank + 1);
    for (int i = 0; i < counts[r]; ++i) all[places[r] + i] = 10000 * rank + 100 * r + i;
  }
  MPI_Alltoallv(all, counts, places, MPI_INT, other, into_counts, into_places, MPI_INT,
                MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r)
    for (int i = 0; i <= rank; ++i) CHECK(other[into_places[r] + i] == 10000 * r + 100 * rank + i);
  free(into_counts);
  free(into_places);
  free(all);
  free(other);
  free(counts);
  free(places);
  return wrong;
}

int check_together(int rank, int size) {
  int wrong =
      check_reductions(rank, size) + check_own_operation(rank, size) + check_shares(rank, size);
  MPI_Request one;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Ibarrier(MPI_COMM_WORLD, &one);
  MPI_Wait(&one, MPI_STATUS_IGNORE);
  for (int root = 0; root < size && root < 3; ++root) {
    long value = rank == root ? 1000 + root : 0;
    MPI_Bcast(&value, 1, MPI_LONG, root, MPI_COMM_WORLD);
    CHECK(value == 1000 + root);
    value = rank == root ? 2000 + root : 0;
    MPI_Ibcast(&value, 1, MPI_LONG, root, MPI_COMM_WORLD, &one);
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    CHECK(value == 2000 + root);
  }
  /* long ones, and ones of nothing */
  const int n = 100000;
  double* many = malloc((size_t)n * sizeof *many);
  for (int i = 0; i < n; ++i) many[i] = rank == 0 ? i : 0;
  MPI_Bcast(many, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  CHECK(many[0] == 0 && many[n - 1] == n - 1);
  MPI_Allreduce(MPI_IN_PLACE, many, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(many[1] == size && many[n - 1] == (double)size * (n - 1));
  free(many);
  MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(NULL, NULL, 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(NULL, NULL, 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return wrong;
}
