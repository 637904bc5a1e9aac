// SPDX-License-Identifier: Apache-2.0
// shm_nodes.hpp: a run of world shm: the functions of its row in the table of worlds.
#pragma once

#include <memory>

#include "terrane/base/result.hpp"
#include "terrane/machine/process_job.hpp"

namespace terrane {

result<std::unique_ptr<process_job>> make_shm_job(const run_options& options,
                                                  const placement& placed);
/// Runs a node for which the program was started anew (started_anew.hpp).
result<std::optional<int>> join_shm(const run_order& order);

}  // namespace terrane
