/* SPDX-License-Identifier: Apache-2.0
 * misused.c HOW: one wrong use of MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is(const char* how, const char* name) { return strcmp(how, name) == 0; }

int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  int rank = 0, size, value[4] = {0, 0, 0, 0}, flag;
  if (is(how, "early")) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (is(how, "rank") && rank == 0) MPI_Send(value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
  if (is(how, "tag") && rank == 0) MPI_Send(value, 1, MPI_INT, 1, -5, MPI_COMM_WORLD);
  if (is(how, "count") && rank == 0) MPI_Send(value, -1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (is(how, "root")) MPI_Bcast(value, 1, MPI_INT, size, MPI_COMM_WORLD);
  if (is(how, "null")) MPI_Barrier(MPI_COMM_NULL);
  if (is(how, "operation")) MPI_Allreduce(value, value + 1, 1, MPI_FLOAT, MPI_BAND, MPI_COMM_WORLD);
  if (is(how, "long")) {
    if (rank == 0) MPI_Send(value, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv(value, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (is(how, "own")) MPI_Gather(value, 4, MPI_INT, value, 2, MPI_INT, 0, MPI_COMM_SELF);
  if (is(how, "unequal")) MPI_Allgather(value, size, MPI_INT, value, 1, MPI_INT, MPI_COMM_WORLD);
  if (is(how, "negative")) {
    const int counts[2] = {-1, -1}, places[2] = {0, 0};
    MPI_Alltoallv(value, counts, places, MPI_INT, value, counts, places, MPI_INT, MPI_COMM_WORLD);
  }
  if (is(how, "dims")) MPI_Dims_create(0, 2, value);
  if (is(how, "type")) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int code = MPI_Sendrecv(value, 1, MPI_DATATYPE_NULL, 1 - rank, 0, value, 1, MPI_INT,
                                  1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) printf("%s\n", code == MPI_ERR_TYPE ? "a type that is none" : "no error");
  }
  if (is(how, "differ")) {
    if (rank == 0)
      MPI_Barrier(MPI_COMM_WORLD);
    else
      MPI_Bcast(value, 4, MPI_INT, 0, MPI_COMM_WORLD);
  }
  if (is(how, "crossed"))
    MPI_Recv(value, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (is(how, "twice")) {
    MPI_Request one;
    MPI_Irecv(value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &one);
    MPI_Request copy = one;
    MPI_Wait(&one, MPI_STATUS_IGNORE);
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
  }
  if (is(how, "abort") && rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
  if (is(how, "abort")) MPI_Barrier(MPI_COMM_WORLD);
  if (is(how, "leaves") && rank == 1) return 3;
  if (is(how, "leaves")) MPI_Barrier(MPI_COMM_WORLD);
  if (is(how, "returned")) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int code = MPI_Send(value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    if (rank == 0) printf("%s\n", code == MPI_ERR_RANK ? text : "no error");
  }
  MPI_Finalize();
  MPI_Finalized(&flag);
  if (is(how, "late")) MPI_Barrier(MPI_COMM_WORLD);
  if (is(how, "exits")) exit(flag && rank == 1 ? 5 : 0);
  return is(how, "codes") ? (rank == 0 ? 0 : 10 + rank) : 0;
}
