// SPDX-License-Identifier: Apache-2.0
// started_anew.hpp: a node process that, after the launcher's fork, executes the program again, and
// so has addresses of its own (--layout own).
//
// Protocol    The child sets TERRANE_NODE to NODE:JOB:RESULT:LAUNCHER, in decimal: its number, the
//             file descriptors of the job's memory and of the pipe for its share, and the process
//             number of its launcher. It executes its own file with the launcher's arguments. When
//             the new program comes to its first run of world shm, it finds the variable and
//             becomes the node.
// Pitfall     Each node also does what main does before that run: a line that main prints appears
//             once more per node.
// Invariants  A process accepts the variable only if all of it is consistent: the process's parent
//             is the launcher, one descriptor is a job that has such a node, and the other is a
//             pipe to write to.
#pragma once

#include <optional>

#include "terrane/base/result.hpp"
#include "terrane/machine/node_process.hpp"
#include "terrane/transport/shm_job.hpp"

namespace terrane {

inline constexpr const char* node_variable = "TERRANE_NODE";

/// Called in a child of the launcher. Returns only if the program could not be started; the error
/// is the reason.
error start_anew(const shm_job& job, const node_process& mine, char** argv);

struct node_started_anew {
  shm_job job;
  node_process mine;
};

/// Which node this process is; nothing if the variable is not set. Works once per process: programs
/// that this one starts are not nodes. An error: the variable does not name a run that this process
/// belongs to.
result<std::optional<node_started_anew>> this_node_started_anew();

}  // namespace terrane
