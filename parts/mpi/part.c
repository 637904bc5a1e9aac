/* SPDX-License-Identifier: Apache-2.0
 * part.c: the table of one MPI (terrane/transport/mpi/mpi_table.h). It is compiled once with each.
 *
 * Counts of MPI are ints: the runtime sends no piece of more than a GiB.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

#include "terrane/transport/mpi/mpi_table.h"

_Static_assert(sizeof(MPI_Request) <= sizeof(terrane_carrier_handle), "a request fits");
_Static_assert(sizeof(MPI_Comm) <= sizeof(terrane_carrier_handle), "a communicator fits");

static MPI_Comm communicator_of(terrane_carrier_handle handle) {
  MPI_Comm its;
  memcpy(&its, &handle, sizeof its);
  return its;
}
static MPI_Request request_of(terrane_carrier_handle handle) {
  MPI_Request its;
  memcpy(&its, &handle, sizeof its);
  return its;
}
static terrane_carrier_handle handle_of(MPI_Request request) {
  terrane_carrier_handle its = {0};
  memcpy(&its, &request, sizeof request);
  return its;
}

static int state(void) {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return ended ? terrane_mpi_over : begun ? terrane_mpi_in_use : terrane_mpi_unused;
}

/* One thread at a time calls, but it may be any: with MPI_THREAD_MULTIPLE, an MPI would take locks
 * of its own for each message. */
static int begin(void) {
  int provided;
  return MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
}

static void end(void) { MPI_Finalize(); }

static int takes_any_thread(void) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_SERIALIZED || level == MPI_THREAD_MULTIPLE;
}

static int is_main_thread(void) {
  int is = 0;
  MPI_Is_thread_main(&is);
  return is;
}

static void say(int error, char* text, size_t bytes) {
  char whole[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(error, whole, &length);
  snprintf(text, bytes, "%s", whole);
}

/* A launcher that is told to end all ranks may not read any more what they have said last: it gets
 * time for that before. */
static void abort_all(int exit_code) {
  const struct timespec pause = {0, 100000000};
  fflush(NULL);
  thrd_sleep(&pause, NULL);
  MPI_Abort(MPI_COMM_WORLD, exit_code);
}

/* Called when the application frees the communicator, or ends MPI: then nothing may be freed any
 * more, and the process ends. */
static int forget(MPI_Comm of, int key, void* raw, void* unused) {
  (void)key, (void)unused;
  struct terrane_mpi_own* its = raw;
  if (of == MPI_COMM_WORLD || of == MPI_COMM_SELF) return MPI_SUCCESS;
  MPI_Comm copy = communicator_of(its->communicator);
  MPI_Comm_free(&copy);
  if (its->kept) its->drop(its->kept);
  free(its);
  return MPI_SUCCESS;
}

static int own(const void* communicator, struct terrane_mpi_own** its) {
  static int key = MPI_KEYVAL_INVALID;
  MPI_Comm of = MPI_COMM_WORLD, copy;
  if (communicator) memcpy(&of, communicator, sizeof of);
  int error = MPI_SUCCESS, found = 0;
  if (key == MPI_KEYVAL_INVALID)
    error = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
  if (error == MPI_SUCCESS) error = MPI_Comm_get_attr(of, key, its, &found);
  if (error != MPI_SUCCESS || found) return error;
  error = MPI_Comm_dup(of, &copy);
  if (error != MPI_SUCCESS) return error;
  MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN);
  *its = calloc(1, sizeof **its);
  if (!*its) return MPI_ERR_NO_MEM;
  memcpy(&(*its)->communicator, &copy, sizeof copy);
  return MPI_Comm_set_attr(of, key, *its);
}

static int rank_in(terrane_carrier_handle communicator) {
  int rank = -1;
  MPI_Comm_rank(communicator_of(communicator), &rank);
  return rank;
}

static int size_of(terrane_carrier_handle communicator) {
  int size = 0;
  MPI_Comm_size(communicator_of(communicator), &size);
  return size;
}

static int broadcast(terrane_carrier_handle communicator, void* data, size_t bytes, int root) {
  return MPI_Bcast(data, (int)bytes, MPI_BYTE, root, communicator_of(communicator));
}

static int gather(terrane_carrier_handle communicator, const void* mine, size_t bytes, void* all) {
  return MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE,
                       communicator_of(communicator));
}

static int send_to(terrane_carrier_handle communicator, const void* data, size_t bytes, int to,
                   int tag, terrane_carrier_handle* request) {
  MPI_Request made;
  const int error =
      MPI_Isend(data, (int)bytes, MPI_BYTE, to, tag, communicator_of(communicator), &made);
  if (error == MPI_SUCCESS) *request = handle_of(made);
  return error;
}

static int receive(terrane_carrier_handle communicator, void* data, size_t bytes, int from, int tag,
                   terrane_carrier_handle* request) {
  MPI_Request made;
  const int error =
      MPI_Irecv(data, (int)bytes, MPI_BYTE, from, tag, communicator_of(communicator), &made);
  if (error == MPI_SUCCESS) *request = handle_of(made);
  return error;
}

static int bytes_in(MPI_Status* status, size_t* bytes) {
  int count = 0;
  const int error = bytes ? MPI_Get_count(status, MPI_BYTE, &count) : MPI_SUCCESS;
  if (bytes) *bytes = count > 0 ? (size_t)count : 0;
  return error;
}

static int test(terrane_carrier_handle* request, int* done, size_t* bytes) {
  MPI_Request its = request_of(*request);
  MPI_Status status;
  const int error = MPI_Test(&its, done, &status);
  if (error != MPI_SUCCESS) return *done = 1, error;
  if (!*done) return MPI_SUCCESS;
  *request = handle_of(its);
  return bytes_in(&status, bytes);
}

enum { tested_at_once = 64 };

static int test_any(terrane_carrier_handle* requests, int count, int* which, size_t* bytes) {
  *which = -1;
  for (int first = 0; first < count; first += tested_at_once) {
    const int some = count - first < tested_at_once ? count - first : tested_at_once;
    MPI_Request its[tested_at_once];
    for (int i = 0; i < some; ++i) its[i] = request_of(requests[first + i]);
    MPI_Status status;
    int at, done;
    const int error = MPI_Testany(some, its, &at, &done, &status);
    if (error != MPI_SUCCESS) return error;
    if (!done || at == MPI_UNDEFINED) continue;
    requests[first + at] = handle_of(its[at]);
    *which = first + at;
    return bytes_in(&status, bytes);
  }
  return MPI_SUCCESS;
}

static void cancel(terrane_carrier_handle* request) {
  MPI_Request its = request_of(*request);
  if (its == MPI_REQUEST_NULL) return;
  MPI_Cancel(&its);
  MPI_Wait(&its, MPI_STATUS_IGNORE);
  *request = handle_of(its);
}

terrane_part_function terrane_mpi_part;

const void* terrane_mpi_part(void) {
  static struct terrane_mpi_table table = {.version = TERRANE_MPI_TABLE_VERSION,
                                           .messages =
                                               {
#ifdef OPEN_MPI
                                                   .library = "Open MPI",
#else
                                                   .library = "MPICH",
#endif
                                                   .takes_any_thread = takes_any_thread,
                                                   .say = say,
                                                   .send = send_to,
                                                   .receive = receive,
                                                   .test = test,
                                                   .test_any = test_any,
                                                   .cancel = cancel},
                                           .state = state,
                                           .begin = begin,
                                           .end = end,
                                           .is_main_thread = is_main_thread,
                                           .abort = abort_all,
                                           .own = own,
                                           .rank = rank_in,
                                           .size = size_of,
                                           .broadcast = broadcast,
                                           .gather = gather};
  table.messages.null_request = handle_of(MPI_REQUEST_NULL);
  return &table;
}
