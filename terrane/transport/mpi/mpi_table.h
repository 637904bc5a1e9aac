/* SPDX-License-Identifier: Apache-2.0
 * mpi_table.h: what the runtime uses of an MPI, as a table of C functions.
 *
 * Purpose     Each MPI has handles of its own, so that whoever includes its mpi.h runs with it
 *             alone. The runtime includes none: it opens libterrane_mpi_NAME.so, which was compiled
 *             with that MPI and fills this table (parts/mpi/part.c).
 * Errors      A function that returns int returns 0 or an error of the MPI, which `say` explains.
 *             Errors come back whatever the application's communicators do: a duplicate has
 *             MPI_ERRORS_RETURN.
 * Threads     As the MPI was asked to provide; no function takes a lock of its own.
 */
#ifndef TERRANE_TRANSPORT_MPI_MPI_TABLE_H
#define TERRANE_TRANSPORT_MPI_MPI_TABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TERRANE_MPI_TABLE_VERSION 1u
/* The function of a part that returns its table. */
#define TERRANE_MPI_PART_NAME "terrane_mpi_part"

/* Room for an MPI_Request or an MPI_Comm of any MPI. */
typedef struct {
  uint64_t word;
} terrane_mpi_handle;

enum { terrane_mpi_unused, terrane_mpi_in_use, terrane_mpi_finalized };
enum { terrane_mpi_single, terrane_mpi_funneled, terrane_mpi_serialized, terrane_mpi_multiple };

/* What belongs to the runtime as long as a communicator lives. */
struct terrane_mpi_own {
  terrane_mpi_handle communicator;
  void* kept; /* the runtime's; null at first */
  void (*drop)(void* kept);
};

struct terrane_mpi_table {
  uint32_t version;
  const char* library; /* as people call it: Open MPI, MPICH */
  terrane_mpi_handle null_request;

  /* terrane_mpi_unused, ... */
  int (*state)(void);
  /* Begins MPI with as many threads as it offers. */
  int (*begin)(void);
  void (*end)(void);
  /* terrane_mpi_single, ... */
  int (*threads)(void);
  int (*is_main_thread)(void);
  void (*say)(int error, char* text, size_t bytes);
  void (*abort)(int exit_code);

  /* The duplicate of an MPI_Comm of the application (null: of all ranks), which is made at the
   * first call, by all of its ranks, and freed with it. */
  int (*own)(const void* communicator, struct terrane_mpi_own** its);
  int (*rank)(terrane_mpi_handle communicator);
  int (*size)(terrane_mpi_handle communicator);
  int (*broadcast)(terrane_mpi_handle communicator, void* data, size_t bytes, int root);
  /* `bytes` of each rank, in order. */
  int (*gather)(terrane_mpi_handle communicator, const void* mine, size_t bytes, void* all);

  int (*send)(terrane_mpi_handle communicator, const void* data, size_t bytes, int to, int tag,
              terrane_mpi_handle* request);
  int (*receive)(terrane_mpi_handle communicator, void* data, size_t bytes, int from, int tag,
                 terrane_mpi_handle* request);
  /* bytes: how many were received; may be null. */
  int (*test)(terrane_mpi_handle* request, int* done, size_t* bytes);
  /* which: below 0 if none is done. A request that is done becomes null_request. */
  int (*test_any)(terrane_mpi_handle* requests, int count, int* which, size_t* bytes);
  /* Takes back a receive that nothing has matched. */
  void (*cancel)(terrane_mpi_handle* request);
};

typedef const struct terrane_mpi_table* terrane_mpi_part_function(void);

#ifdef __cplusplus
}
#endif

#endif
