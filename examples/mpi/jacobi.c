/* SPDX-License-Identifier: Apache-2.0
 * jacobi.c: heat in a square plate, by Jacobi's method: each rank has some of its rows. Every 200
 * sweeps the ranks together integrate the temperature, which is a phase for Terrane.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/mpi/refine.h"

enum { side = 65, sweeps = 600, between_phases = 200 };

typedef double row[side];

int main(int argc, char** argv) {
  int provided, rank, ranks;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  /* Rows first to end are mine; the ones beside them are copies of the neighbours'. */
  const int first = side * rank / ranks, end = side * (rank + 1) / ranks, mine = end - first;
  row* old = calloc((size_t)mine + 2, sizeof(row));
  row* new = calloc((size_t)mine + 2, sizeof(row));
  row* whole = malloc(side * sizeof(row));
  int* counts = malloc((size_t)ranks * sizeof(int));
  int* places = malloc((size_t)ranks * sizeof(int));
  for (int each = 0; each < ranks; ++each) {
    places[each] = side * each / ranks * side;
    counts[each] = side * (each + 1) / ranks * side - places[each];
  }
  if (rank == 0) /* the hot edge */
    for (int x = 0; x < side; ++x) old[1][x] = new[1][x] = 1;

  const int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int after = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  for (int sweep = 1; sweep <= sweeps; ++sweep) {
    MPI_Sendrecv(old[1], side, MPI_DOUBLE, before, 1, old[mine + 1], side, MPI_DOUBLE, after, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(old[mine], side, MPI_DOUBLE, after, 2, old[0], side, MPI_DOUBLE, before, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int y = 1; y <= mine; ++y) {
      if (first + y - 1 == 0 || first + y - 1 == side - 1) continue;
      for (int x = 1; x < side - 1; ++x)
        new[y][x] = (old[y - 1][x] + old[y + 1][x] + old[y][x - 1] + old[y][x + 1]) / 4;
    }
    row* const swapped = old;
    old = new;
    new = swapped;

    if (sweep % between_phases != 0) continue;
    MPI_Gatherv(old[1], mine * side, MPI_DOUBLE, whole, counts, places, MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    const double heat = refined_integral(MPI_Comm_c2f(MPI_COMM_WORLD), whole[0], side);
    if (rank == 0) printf("after %d sweeps: %.12f\n", sweep, heat);
  }

  free(old);
  free(new);
  free(whole);
  free(counts);
  free(places);
  MPI_Finalize();
  return 0;
}
