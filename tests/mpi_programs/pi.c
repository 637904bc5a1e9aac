/* SPDX-License-Identifier: Apache-2.0
 * pi.c N: the area under 4 / (1 + x x), by N strips. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char* argv[]) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long n = rank == 0 && argc > 1 ? atol(argv[1]) : 0;
  MPI_Bcast(&n, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  const double h = 1.0 / (double)n;
  double sum = 0, pi = 0;
  const double start = MPI_Wtime();
  for (long i = rank; i < n; i += size) {
    const double x = h * ((double)i + 0.5);
    sum += 4.0 / (1.0 + x * x);
  }
  sum *= h;
  MPI_Reduce(&sum, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("pi by %d: %.12f, %s\n", size, pi,
           fabs(pi - 3.14159265358979) < 1e-9 && MPI_Wtime() >= start ? "right" : "wrong");
  MPI_Finalize();
}
