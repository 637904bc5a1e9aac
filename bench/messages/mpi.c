// SPDX-License-Identifier: Apache-2.0
// mpi.c: messages of MPI between two processes; built once with each library's mpicc.
//
// Method      one_way: MPI_Send and MPI_Recv, to and fro. bandwidth, rate: windows of MPI_Isend and
//             MPI_Irecv. The window of rate has the usual length (64).
#include <mpi.h>

#include "bench/messages/figure.h"

#ifdef OPEN_MPI
static const char library[] = "openmpi";
#else
static const char library[] = "mpich";
#endif

enum { rate_window = 64, tag = 7 };

static unsigned char buffer[message_bytes_max];
static MPI_Status ignored[rate_window]; /* compilers warn of MPICH's MPI_STATUSES_IGNORE */
static int rank;

static void send_number(int bytes, uint64_t number, int whole) {
  if (whole)
    message_fill(buffer, bytes, number);
  else
    message_number(buffer, number);
  MPI_Send(buffer, bytes, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD);
}

static void receive_number(int bytes, uint64_t number, int whole) {
  MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (whole)
    message_check(library, buffer, bytes, number);
  else
    message_check_number(library, buffer, number);
}

static void play(int bytes, uint64_t first, uint64_t count, int whole) {
  for (uint64_t number = first; number < first + count; number += 2) {
    if (rank == 0) send_number(bytes, number, whole);
    receive_number(bytes, rank == 0 ? number + 1 : number, whole);
    if (rank == 1) send_number(bytes, number + 1, whole);
  }
}

/// Returns when rank 1 has received every message.
static void await_end(void) {
  MPI_Sendrecv(NULL, 0, MPI_BYTE, 1 - rank, tag, NULL, 0, MPI_BYTE, 1 - rank, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

static double one_way(const struct message_figure* figure) {
  play(figure->bytes, 0, message_checked, 1);
  const double start = bench_now();
  play(figure->bytes, message_checked, (uint64_t)figure->messages, 0);
  return bench_now() - start;
}

static double bandwidth(const struct message_figure* figure) {
  MPI_Request window[message_window];
  play(figure->bytes, 0, message_checked, 1);
  memset(buffer, 0, sizeof buffer);
  if (rank == 0) message_fill(buffer, figure->bytes, message_checked);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = bench_now();
  for (int i = 0; i < figure->messages; i += message_window) {
    for (int j = 0; j < message_window; j++)
      if (rank == 0)
        MPI_Isend(buffer, figure->bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &window[j]);
      else
        MPI_Irecv(buffer, figure->bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &window[j]);
    MPI_Waitall(message_window, window, ignored);
  }
  if (rank == 1) message_check(library, buffer, figure->bytes, message_checked);
  await_end();
  return bench_now() - start;
}

static double rate(const struct message_figure* figure) {
  static unsigned char data[rate_window][message_bytes_max / rate_window];
  MPI_Request window[rate_window];
  play(figure->bytes, 0, message_checked, 1);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = bench_now();
  for (int i = 0; i < figure->messages; i += rate_window) {
    const int count = figure->messages - i < rate_window ? figure->messages - i : rate_window;
    for (int j = 0; j < count; j++)
      if (rank == 0) {
        message_number(data[j], (uint64_t)(i + j));
        MPI_Isend(data[j], figure->bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &window[j]);
      } else {
        MPI_Irecv(data[j], figure->bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &window[j]);
      }
    MPI_Waitall(count, window, ignored);
    for (int j = 0; rank == 1 && j < count; j++)
      message_check_number(library, data[j], (uint64_t)(i + j));
  }
  await_end();
  return bench_now() - start;
}

int main(int argc, char** argv) {
  static const char* const known[] = {"one_way", "bandwidth", "rate", NULL};
  int size = 0;
  MPI_Init(&argc, &argv);
  const struct message_figure figure = message_arguments(argc, argv, library, known);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 2) {
    fprintf(stderr, "messages/%s: start two processes, not %d\n", library, size);
    return 2;
  }
  message_pin(rank);
  const double seconds = message_is(&figure, "one_way") ? one_way(&figure)
                         : message_is(&figure, "rate")  ? rate(&figure)
                                                        : bandwidth(&figure);
  if (rank == 0) message_report(&figure, seconds);
  MPI_Finalize();
  return 0;
}
