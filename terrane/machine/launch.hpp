// SPDX-License-Identifier: Apache-2.0
// launch.hpp: starts a run that has a process for each node, and supervises it to its end.
//
// Purpose     The launcher forwards the output of all nodes line by line and gives standard input
//             to node 0. The exit code is the program's. If a node dies, is stopped or leaves
//             early, the launcher prints one sentence and ends the run.
// Invariants  Nodes are forked. So all have the program, its libraries and its stack guard at the
//             same addresses, wherever the system has put them, and a thread's stack is valid in
//             each (decision 0010). The exception is an as_node that starts the program anew
//             (started_anew.hpp), or starts another program that runs it elsewhere.
//             However the launcher ends, the kernel ends the nodes too, at their request. Nothing
//             that they share has a name.
#pragma once

#include <functional>

#include "terrane/base/result.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/node_process.hpp"
#include "terrane/transport/roster.hpp"

namespace terrane {

/// What a node does in its process; returns the exit code of the process.
using node_main = std::function<int(const node_process&)>;

/// Runs as_node for each node of the roster in a child of this process. options.processors must be
/// set. An error: the run could not be started. A lost node is reported on stderr and by the exit
/// code.
result<run_outcome> launch(const run_options& options, roster& nodes, const node_main& as_node);

}  // namespace terrane
