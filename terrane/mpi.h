/* SPDX-License-Identifier: Apache-2.0
 * mpi.h: a phase of an MPI application that runs with Terrane, from C (docs/mpi.md).
 *
 *   static void irregular(void* about) { ... }           // a thread of the run, on rank 0
 *
 *   int code = terrane_run_main_on(communicator, irregular, &data);   // by all ranks of it
 *
 * Purpose     The ranks of a communicator are the nodes of a run for as long as the call takes. It
 *             may be called as often as one likes, for any communicator.
 * Invariants  The application begins and ends MPI. Messages of the run travel in a duplicate of the
 *             communicator, so that no tag of the application meets one of them. The duplicate
 *             lives as long as the communicator.
 * Threads     MPI_THREAD_FUNNELED is enough: then the thread that began MPI calls, and is a
 *             processor meanwhile.
 * Errors      A wrong use is one sentence, and MPI_Abort with code 2.
 */
#ifndef TERRANE_MPI_H
#define TERRANE_MPI_H

#include <mpi.h>

#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/* communicator: points to an MPI_Comm. */
int terrane_run_on_ranks(const void* communicator, const terrane_function* root, const void* args);
int terrane_run_main_on_ranks(const void* communicator, void (*main)(void*), void* about);

#ifdef __cplusplus
}
#endif

/* Runs a threaded function on processor 0, which is on rank 0. args: root->args_bytes bytes.
 * Returns the run's exit code, on all ranks: 0, what terrane_set_exit_code said, or 121 for a
 * deadlock. The options are those of TERRANE_OPTIONS. */
static inline int terrane_run_on(MPI_Comm communicator, const terrane_function* root,
                                 const void* args) {
  return terrane_run_on_ranks(&communicator, root, args);
}

/* The same for a C function, which runs as a thread. It is called on rank 0 alone. */
static inline int terrane_run_main_on(MPI_Comm communicator, void (*main)(void*), void* about) {
  return terrane_run_main_on_ranks(&communicator, main, about);
}

#endif
