// SPDX-License-Identifier: Apache-2.0
// shm_nodes.hpp: starts a run of world shm: the functions of its row in the table of worlds, and
// one node's part of the machine.
#pragma once

#include <memory>
#include <optional>

#include "terrane/base/result.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/transport/shm_job.hpp"

namespace terrane {

result<run_outcome> start_shm(const run_order& order, const placement& placed);
/// Runs a node for which the program was started anew (started_anew.hpp).
result<std::optional<int>> join_shm(const run_order& order);

/// Makes one node's part of the machine, in that node's process, and maps its processors. Takes
/// options.nodes and options.processors from the job.
result<std::unique_ptr<machine>> make_shm_node(shm_job& job, node_id node, run_options options);

}  // namespace terrane
