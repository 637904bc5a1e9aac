// SPDX-License-Identifier: Apache-2.0
// process_job.hpp: a run that has a process for each node, before and in these processes.
//
// Purpose     What is alike for all such runs, however their nodes reach each other: nodes are
//             started, watched and ended (launch.hpp), report themselves (node_process.hpp), and
//             hand in their shares (node_share.hpp). A world adds a job: a roster, and how a
//             process becomes a node.
#pragma once

#include <memory>

#include "terrane/base/result.hpp"
#include "terrane/machine/node_process.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/transport/roster.hpp"

namespace terrane {

class process_job {
 public:
  virtual ~process_job() = default;

  /// For the launcher.
  virtual roster& nodes() = 0;

  // --- in the process of a node ---

  /// Joins the run; the line outlives the node's machine.
  virtual result<std::unique_ptr<roster_line>> join(const node_process& mine) = 0;
  /// Makes the node's part of the machine. line: what join() made.
  virtual result<std::unique_ptr<machine>> make_node(roster_line& line, node_id mine,
                                                     run_options options) = 0;
  /// Executes the program that is to be the node, in place of this process. Returns if that failed,
  /// with the reason. Called if starts_anew().
  virtual error start_anew(const node_process& mine, char** argv) = 0;
  virtual bool starts_anew(node_id mine) const = 0;
};

/// Joins the run as that node, and runs the node; returns the exit code of the process.
int run_as_node(process_job& job, const node_process& mine, const run_order& order);

/// The `start` of a row whose nodes are processes.
result<run_outcome> start_processes(const run_order& order, const placement& placed);

}  // namespace terrane
