// SPDX-License-Identifier: Apache-2.0
// node_process.hpp: runs one node of a run in a process that the launcher started.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "terrane/base/result.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/terrane.h"
#include "terrane/transport/roster.hpp"

namespace terrane {

struct node_process {
  node_id node = 0;
  int result = -1;      // the file descriptor for the node's share of the run
  pid_t launcher = -1;  // below 0: it is no process of this host
};

/// Makes the kernel kill this process when its launcher ends. False: the launcher has ended
/// already.
bool die_with(pid_t launcher);

/// Prints on stderr why this process cannot be its node; returns the exit code for that.
int refuse_node(node_id node, const std::string& why);

/// Makes one node's part of the machine, in the process that is that node.
using node_maker = std::function<result<std::unique_ptr<machine>>()>;

/// Runs this node's part of the machine, and reports its state and its outcome to the launcher.
/// Returns the exit code of the process.
int run_node(roster_line& shown, const node_process& mine, const run_options& options,
             const node_maker& make, const terrane_function& root, const terrane_root_args& args);

}  // namespace terrane
