// SPDX-License-Identifier: Apache-2.0
// started_anew.hpp: a node process that does not go on from its launcher's fork, but starts the
// program again, and so has addresses of its own (--layout own).
//
// Protocol    The child sets TERRANE_NODE to NODE:JOB:RESULT:LAUNCHER, in decimal: its number, the
//             file descriptors of the job's memory and of the pipe for its share, the process of
//             its launcher. It executes its own file with the launcher's words. That comes to its
//             first run of world shm, finds the variable, and is the node.
// Pitfall     What main does before that run, it does in every node: a line that it prints comes
//             once more for each.
// Invariants  What the variable says is believed only where all of it fits: this process's parent
//             is the launcher, one descriptor is a job that has such a node, the other a pipe to
//             write to.
#pragma once

#include <optional>

#include "terrane/base/result.hpp"
#include "terrane/machine/node_process.hpp"
#include "terrane/transport/shm_job.hpp"

namespace terrane {

inline constexpr const char* node_variable = "TERRANE_NODE";

/// In a child of the launcher. Returns only if the program could not be started, with why.
error start_anew(const shm_job& job, const node_process& mine, char** argv);

struct node_started_anew {
  shm_job job;
  node_process mine;
};

/// What such a process is; nothing where the variable is not set. Once: what the program starts
/// itself is no node. An error: the variable does not name a run that this process belongs to.
result<std::optional<node_started_anew>> this_node_started_anew();

}  // namespace terrane
