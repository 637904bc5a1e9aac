/* SPDX-License-Identifier: Apache-2.0
 * mpi_table.h: what the runtime uses of an MPI, as a table of C functions.
 *
 * Purpose     Each MPI has handles of its own, so that whoever includes its mpi.h runs with it
 *             alone. The runtime includes none: it opens libterrane_mpi_NAME.so, which was compiled
 *             with that MPI and fills this table (parts/mpi/part.c).
 * Errors      As a carrier's. They come back whatever the application's communicators do: a
 *             duplicate has MPI_ERRORS_RETURN.
 * Threads     As the MPI was asked to provide; no function takes a lock of its own.
 */
#ifndef TERRANE_TRANSPORT_MPI_MPI_TABLE_H
#define TERRANE_TRANSPORT_MPI_MPI_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "terrane/transport/carried/carrier.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TERRANE_MPI_TABLE_VERSION 2u
/* A terrane_part_function. */
#define TERRANE_MPI_PART_NAME "terrane_mpi_part"

enum { terrane_mpi_unused, terrane_mpi_in_use, terrane_mpi_over };

/* What belongs to the runtime as long as a communicator lives. */
struct terrane_mpi_own {
  terrane_carrier_handle communicator;
  void* kept; /* the runtime's; null at first */
  void (*drop)(void* kept);
};

struct terrane_mpi_table {
  uint32_t version;
  struct terrane_carrier messages; /* among the ranks of a communicator */

  /* terrane_mpi_unused, ... */
  int (*state)(void);
  /* Begins MPI so that any thread may call it, one at a time. */
  int (*begin)(void);
  void (*end)(void);
  int (*is_main_thread)(void);
  /* Ends all ranks, once their launcher has had time to read what was said. */
  void (*abort)(int exit_code);

  /* The duplicate of an MPI_Comm of the application (null: of all ranks), which is made at the
   * first call, by all of its ranks, and freed with it. */
  int (*own)(const void* communicator, struct terrane_mpi_own** its);
  int (*rank)(terrane_carrier_handle communicator);
  int (*size)(terrane_carrier_handle communicator);
  int (*broadcast)(terrane_carrier_handle communicator, void* data, size_t bytes, int root);
  /* `bytes` of each rank, in order. */
  int (*gather)(terrane_carrier_handle communicator, const void* mine, size_t bytes, void* all);
};

#ifdef __cplusplus
}
#endif

#endif
