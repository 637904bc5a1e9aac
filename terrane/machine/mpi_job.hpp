// SPDX-License-Identifier: Apache-2.0
// mpi_job.hpp: a run of world mpi: its nodes are the ranks of an MPI job, and all of them call for
// the run.
//
// Purpose     Nobody launches the nodes: they are there. Each makes its part of the machine, and
//             all get the whole outcome. The functions of the world's row stand on that; so does
//             run_on() (terrane/mpi.hpp), which runs on any communicator of an application.
// Invariants  MPI is begun and ended here only if the application has done neither.
#pragma once

#include <optional>

#include "terrane/base/result.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/transport/mpi/mpi_table.h"
#include "terrane/transport/network_watch.hpp"

namespace terrane {

/// What the ranks tell each other at the end.
enum class told {
  everything,       // the whole outcome, with its statistics
  what_went_wrong,  // the exit code, and the rest only of a deadlock
};

/// Runs the root on the ranks of a communicator that nobody else uses meanwhile. To be called by
/// all of them, with options.nodes as they are. All return the same outcome, but for what `left`
/// says of threads and fibers beyond those that are listed. watch: of an application that runs one
/// phase after the other; its first processor is then the thread that calls.
result<run_outcome> run_on_ranks(const terrane_mpi_table& mpi, terrane_carrier_handle communicator,
                                 const run_options& options, const placement& placed,
                                 const terrane_function& root, const void* args, told what,
                                 network_watch* watch = nullptr);

/// Sets options.nodes, and what follows for the processors of each, from the ranks of that
/// communicator. To be called by all of them.
result<void> fit_to_ranks(const terrane_mpi_table& mpi, terrane_carrier_handle communicator,
                          run_options& options);

// --- the row of world mpi ---

bool is_mpi_rank();
result<void> complete_mpi(run_options& options);
result<run_outcome> start_mpi(const run_order& order, const placement& placed);
/// Runs the node if this is not rank 0, which returns to its main function when the run is over.
result<std::optional<int>> join_mpi(const run_order& order);

}  // namespace terrane
