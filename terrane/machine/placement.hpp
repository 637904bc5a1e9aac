// SPDX-License-Identifier: Apache-2.0
// placement.hpp: how many processors a run has, and on which cores.
#pragma once

#include <string>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/machine/options.hpp"

namespace terrane {

struct world_row;

struct placement {
  std::vector<int> cpu_of_processor{};  // to pin each to; empty: do not
  bool one_core_each = true;
  std::string sentence{};  // how many, and why
};

/// Sets options.processors where that was left open. More than the world takes is an error.
result<placement> place(run_options& options, const world_row& world);

}  // namespace terrane
