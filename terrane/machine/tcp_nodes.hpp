// SPDX-License-Identifier: Apache-2.0
// tcp_nodes.hpp: a run of world tcp: the functions of its row in the table of worlds.
#pragma once

#include <memory>

#include "terrane/base/result.hpp"
#include "terrane/machine/process_job.hpp"

namespace terrane {

result<std::unique_ptr<process_job>> make_tcp_job(const run_options& options,
                                                  const placement& placed);

}  // namespace terrane
