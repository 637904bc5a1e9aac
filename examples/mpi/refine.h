/* SPDX-License-Identifier: Apache-2.0
 * refine.h: the irregular phase of the Jacobi examples: the integral of a surface, refined where
 * the surface is steep.
 */
#ifndef REFINE_H
#define REFINE_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* To be called by all ranks of the communicator, given as Fortran knows it (MPI_Comm_c2f).
 * heights: side * side numbers, row by row; read on rank 0 alone. Returns the integral over the
 * unit square on rank 0, and 0 on the others. */
double refined_integral(MPI_Fint communicator, const double* heights, int side);

#ifdef __cplusplus
}
#endif

#endif
