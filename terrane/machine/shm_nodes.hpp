// SPDX-License-Identifier: Apache-2.0
// shm_nodes.hpp: how a run of world shm is started: the row's functions, and a node's part.
#pragma once

#include <memory>
#include <optional>

#include "terrane/base/result.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/transport/shm_job.hpp"

namespace terrane {

result<run_outcome> start_shm(const run_order& order, const placement& placed);
/// A node that the program was started anew for (started_anew.hpp).
result<std::optional<int>> join_shm(const run_order& order);

/// One node's part of the machine, in the process that is that node: maps its processors, too.
/// options.nodes and processors are the job's.
result<std::unique_ptr<machine>> make_shm_node(shm_job& job, node_id node, run_options options);

}  // namespace terrane
