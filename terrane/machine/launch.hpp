// SPDX-License-Identifier: Apache-2.0
// launch.hpp: starts a run that has a process for each node, and watches over it to its end.
//
// Purpose     Output of all nodes is passed on line by line, standard input goes to node 0, and the
//             exit code is the program's. A node that dies, is stopped or leaves early becomes one
//             sentence, and ends the run.
// Invariants  Nodes are forked, and so have the program, its libraries and its stack guard at the
//             same addresses, wherever the system has put them: a thread's stack means the same in
//             each (decision 0010); unless as_node starts the program anew (started_anew.hpp), or
//             a program that starts it elsewhere.
//             Whatever ends the launcher ends the nodes too: they ask the kernel for it. Nothing
//             they share has a name.
#pragma once

#include <functional>

#include "terrane/base/result.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/machine/node_process.hpp"
#include "terrane/transport/roster.hpp"

namespace terrane {

/// What a node does in its process; returns the exit code of that.
using node_main = std::function<int(const node_process&)>;

/// Each node of the roster runs as_node in a child of this process. options.processors must be set.
/// An error: the run could not be started. A lost node is said on stderr; the exit code tells it.
result<run_outcome> launch(const run_options& options, roster& nodes, const node_main& as_node);

}  // namespace terrane
