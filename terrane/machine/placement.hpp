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
  std::vector<int> cpu_of_processor{};  // CPU to pin each to; empty: none is pinned
  bool one_core_each = true;
  std::string sentence{};  // how many processors, and why
};

/// Sets options.processors if it is not given. More processors than the world allows are an error.
result<placement> place(run_options& options, const world_row& world);

}  // namespace terrane
