// SPDX-License-Identifier: Apache-2.0
// mpi_launch.hpp: how the processes of world mpi come to be: what started this one, and how to
// start all of them.
//
// Purpose     mpirun and srun tell each rank in its environment who it is. A program that finds
//             that there runs in world mpi, unless it is told another. Where --world mpi is said
//             and nothing of the kind is there, the program becomes the mpirun that is installed,
//             which starts it again on all ranks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "terrane/base/result.hpp"
#include "terrane/machine/options.hpp"

namespace terrane {

/// An MPI that there is a part for (transport/mpi/mpi_table.h).
struct mpi_kind {
  std::string_view name;      // of --mpi and of the part's file
  std::string_view title;     // as people call it
  std::string_view mark;      // a symbol that it alone has
  std::string_view package;   // Debian's, of its library
  std::string_view headers;   // Debian's, to build its part
  std::string_view launcher;  // Debian's, of its mpirun
  std::string_view command;   // its mpirun where several are installed
};
extern const mpi_kind mpi_kinds[2];
/// Null: there is none of that name.
const mpi_kind* find_mpi(std::string_view name);

/// What a launcher says of this process.
struct mpi_rank {
  const mpi_kind* kind;
  int rank;
};
using environment_reader = std::function<const char*(const char*)>;
/// Nothing if no launcher of an MPI started this process.
std::optional<mpi_rank> find_mpi_rank(const environment_reader& read);
std::optional<mpi_rank> this_mpi_rank();

/// False in a rank that leaves it to rank 0 to say what is wrong with the run.
bool speaks_for_the_run();
/// In such a rank: gives rank 0 time to say it, since a launcher ends all once one has ended.
void let_rank_0_speak();

/// Becomes an mpirun that starts argv on options.nodes ranks. Returns if that failed.
error become_mpirun(const run_options& options, char** argv);

}  // namespace terrane
