/* SPDX-License-Identifier: Apache-2.0
 * carrier.h: what carries pieces of bytes between the nodes of a run, as a table of C functions.
 *
 * Purpose     Libraries that carry bytes are opened when a run asks for them: the runtime includes
 *             no header of theirs. A part (parts/), which was compiled with the library, fills this
 *             table: an MPI (transport/mpi/mpi_table.h) or UCX (transport/ucx/ucx_table.h).
 * Order       The first piece of a tag that a node sends to another goes to the first receive for
 *             that node and tag, the second to the second, and so on.
 * Errors      A function that returns int returns 0 or an error of the library, which `say`
 *             explains. A request that failed is done.
 * Threads     One at a time; `takes_any_thread` says whether it may be another one each time.
 */
#ifndef TERRANE_TRANSPORT_CARRIED_CARRIER_H
#define TERRANE_TRANSPORT_CARRIED_CARRIER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of a request, or of the nodes that send to one another. */
typedef struct {
  uint64_t word;
} terrane_carrier_handle;

struct terrane_carrier {
  const char* library; /* as people call it: Open MPI, MPICH, UCX */
  terrane_carrier_handle null_request;

  int (*takes_any_thread)(void);
  void (*say)(int error, char* text, size_t bytes);

  /* among: the nodes, by number. The bytes stay until the request is done. tag: 1 to 4. */
  int (*send)(terrane_carrier_handle among, const void* data, size_t bytes, int to, int tag,
              terrane_carrier_handle* request);
  int (*receive)(terrane_carrier_handle among, void* data, size_t bytes, int from, int tag,
                 terrane_carrier_handle* request);
  /* bytes: how many were received; may be null. A request that is done becomes null_request. */
  int (*test)(terrane_carrier_handle* request, int* done, size_t* bytes);
  /* which: below 0 if none is done. */
  int (*test_any)(terrane_carrier_handle* requests, int count, int* which, size_t* bytes);
  /* Takes back a receive that nothing has matched. */
  void (*cancel)(terrane_carrier_handle* request);
  /* Node `which` has ended: requests to and from it are done. Null: all end if one does. */
  void (*lose)(terrane_carrier_handle among, int which);
};

/* The function of a part that returns its table, which begins with the table's version. */
typedef const void* terrane_part_function(void);

#ifdef __cplusplus
}
#endif

#endif
