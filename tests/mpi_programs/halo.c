/* SPDX-License-Identifier: Apache-2.0
 * halo.c N ITER: Jacobi relaxation of N x N points by blocks of columns, which are exchanged at
 * their edges. The answer is that of the program jacobi. */
#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int first_column(int b, int blocks, int n) { return 2 + (int)((long)(n - 2) * b / blocks); }
static double first_value(int i, int j) { return (i * 7 + j * 13) % 101 / 101.0; }
static double source(int i, int j) { return ((i * 3 + j * 5) % 11 - 5) / 1000.0; }

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc < 3) {
    if (rank == 0) fprintf(stderr, "halo needs N and ITER\n");
    MPI_Finalize();
    return 2;
  }
  const int n = atoi(argv[1]), iterations = atoi(argv[2]);
  const int first = first_column(rank, size, n), last = first_column(rank + 1, size, n);
  const int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
  const int right = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
  const size_t points = (size_t)n, columns = (size_t)(last - first + 2);
  double* now = malloc(columns * points * sizeof *now);
  double* next = malloc(columns * points * sizeof *next);
#define AT(grid, j) ((grid) + (size_t)((j) - first + 1) * points)
  for (int j = first - 1; j <= last; ++j)
    for (int i = 1; i <= n; ++i) AT(now, j)[i - 1] = AT(next, j)[i - 1] = first_value(i, j);
  const double w = 1000 / 1000.0;
  for (int q = 0; q < iterations; ++q) {
    MPI_Request all[4];
    MPI_Irecv(AT(now, first - 1), n, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(AT(now, last), n, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &all[1]);
    MPI_Isend(AT(now, last - 1), n, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &all[2]);
    MPI_Isend(AT(now, first), n, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    for (int j = first; j < last; ++j) {
      const double *u = AT(now, j), *before = AT(now, j - 1), *after = AT(now, j + 1);
      for (int i = 1; i + 1 < n; ++i) AT(next, j)
      [i] = (1 - w) * u[i] +
            w * 0.25 * (source(i + 1, j) + u[i - 1] + u[i + 1] + after[i] + before[i]);
    }
    double* const swapped = now;
    now = next;
    next = swapped;
  }
  int* counts = malloc((size_t)size * sizeof *counts);
  int* places = malloc((size_t)size * sizeof *places);
  for (int r = 0; r < size; ++r) {
    counts[r] = n * (first_column(r + 1, size, n) - first_column(r, size, n));
    places[r] = n * (first_column(r, size, n) - 1);
  }
  double* whole = rank == 0 ? malloc(points * points * sizeof *whole) : NULL;
  MPI_Gatherv(AT(now, first), counts[rank], MPI_DOUBLE, whole, counts, places, MPI_DOUBLE, 0,
              MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 1; i <= n; ++i) {
      whole[i - 1] = first_value(i, 1);
      whole[(points - 1) * points + (size_t)i - 1] = first_value(i, n);
    }
    uint64_t hash = 14695981039346656037u;
    double sum = 0;
    for (size_t k = 0; k < points * points; ++k) {
      unsigned char bytes[sizeof(double)];
      memcpy(bytes, &whole[k], sizeof bytes);
      for (size_t b = 0; b < sizeof bytes; ++b) hash = (hash ^ bytes[b]) * 1099511628211u;
      sum += whole[k];
    }
    printf("jacobi(%d, %d) = %016" PRIx64 ", sum %.6f\n", n, iterations, hash, sum);
  }
  free(whole);
  free(counts);
  free(places);
  free(now);
  free(next);
  MPI_Finalize();
  return 0;
}
