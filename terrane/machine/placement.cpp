// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "terrane/machine/cpu_budget.hpp"
#include "terrane/machine/worlds.hpp"

namespace terrane {

namespace {

result<void> require_room(const run_options& options, const world_row& world) {
  const long all = static_cast<long>(options.processors) * options.nodes;
  if (all <= world.processors_max) return {};
  return error{
      fmt::format("--nodes {} with {} processors each are {} {}: world {} takes up to {}, so ask "
                  "for fewer nodes or --processors",
                  options.nodes, options.processors, all,
                  world.simulated ? "processors" : "threads", world.name, world.processors_max)};
}

/// Simulated processors are not threads of this host, so they need none of its cores.
result<placement> place_simulated(run_options& options, const world_row& world) {
  options.processors = std::max(1, options.processors);
  if (const auto room = require_room(options, world); !room) return error{room.problem()};
  return placement{{}, true, fmt::format("machine: simulated, network {}", options.network)};
}

}  // namespace

result<placement> place(run_options& options, const world_row& world) {
  if (world.simulated) return place_simulated(options, world);
  const cpu_view view = this_machine();
  const int asked = options.processors * options.nodes;
  const cpu_budget budget = resolve_cpu_budget(view, asked);
  if (options.processors == 0) options.processors = std::max(1, budget.processors / options.nodes);
  if (const auto room = require_room(options, world); !room) return error{room.problem()};
  const int all = options.processors * options.nodes;
  sharing_signs signs = read_sharing_signs(view, budget);
  signs.processors = all;
  const pinning_decision pinning =
      decide_pinning(options.pinning, signs, [] { return read_topology(affinity_cpus()); });
  std::string sentence = budget.sentence;
  if (all != budget.processors)
    sentence += fmt::format("; {} nodes of {}: {} in all", options.nodes, options.processors, all);
  return placement{pinning.cpu_of_processor, all <= budget.allowed, sentence};
}

}  // namespace terrane
