// SPDX-License-Identifier: Apache-2.0
// mpi_program.hpp: an MPI program: its main function runs once in each rank, which is a thread.
//
// Invariants  A rank is a member of one rope, and stays on the processor where it begins: the
//             program keeps pointers.
//             Every process of a run calls describe_mpi_program() before the run begins, and
//             nobody writes what it noted later: so threads read it without a lock.
// Ends        A rank ends by returning from main, or by exit(), which mpicc leads here. The program
//             ends when all ranks have; its exit code is that of the lowest rank that has one. A
//             rank that ends with a code before MPI_Finalize ends the run, as others may wait for
//             it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace terrane {

struct mpi_program {
  int argc = 0;
  char** argv = nullptr;
  int (*main)(int, char**) = nullptr;
  std::size_t stack_bytes = 0;
  std::uint32_t ranks = 0;  // 0: one for each processor
};

void describe_mpi_program(const mpi_program& about);
/// In a thread: makes the ranks and returns when all have ended, with the exit code.
int run_mpi_ranks(int argc, char** argv);

}  // namespace terrane
