// SPDX-License-Identifier: Apache-2.0
// ucx_wires.hpp: the wires of a run, which may be UCX's (docs/ucx.md).
#pragma once

#include "terrane/base/result.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/transport/ucx/ucx_table.h"
#include "terrane/transport/wired_world.hpp"

namespace terrane {

/// UCX in this process, which stays. An error: its part was not built, or UCX is not here.
result<const terrane_ucx_table*> open_ucx();

/// What makes the wires that --wire asks for. own: makes the world's. An error: UCX cannot be
/// opened, or other options need the world's own.
result<network_maker> wires_for(const run_options& options, network_maker own);

}  // namespace terrane
