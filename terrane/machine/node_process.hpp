// SPDX-License-Identifier: Apache-2.0
// node_process.hpp: a process that is one node of a run in world shm, as its launcher started it.
#pragma once

#include <memory>
#include <optional>

#include "terrane/base/result.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/terrane.h"
#include "terrane/transport/shm_job.hpp"

namespace terrane {

/// What TERRANE_NODE says: NODE:JOB:RESULT, the latter two file descriptors.
struct node_process {
  node_id node = 0;
  int job = -1;
  int result = -1;
  pid_t launcher = -1;
};

/// Nothing where this process is none; then it may be a launcher. Once: what a program starts
/// itself is none either.
std::optional<node_process> this_node_process();

/// One node's part of the machine, in the process that is that node. options.nodes and processors
/// are the job's.
result<std::unique_ptr<machine>> make_node(const shm_job& job, node_id node, run_options options);

/// Runs this node's part of the machine and tells the launcher how it went. Returns the exit code
/// of the process.
int run_node(const node_process& mine, const run_options& options, const terrane_function& root,
             const terrane_root_args& args);

}  // namespace terrane
