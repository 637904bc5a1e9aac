// SPDX-License-Identifier: Apache-2.0
// tcp_nodes.hpp: a run of world tcp: the functions of its row in the table of worlds.
#pragma once

#include <memory>
#include <optional>

#include "terrane/base/result.hpp"
#include "terrane/machine/process_job.hpp"

namespace terrane {

result<std::unique_ptr<process_job>> make_tcp_job(const run_options& options,
                                                  const placement& placed);
/// Runs a node that a command has started on this host (remote_nodes.hpp).
result<std::optional<int>> join_tcp(const run_order& order);

}  // namespace terrane
