// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/placement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "terrane/machine/cpu_budget.hpp"
#include "terrane/machine/remote_nodes.hpp"
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
  const int nodes_here = options.nodes_here > 0  ? options.nodes_here
                         : options.hosts.empty() ? options.nodes
                                                 : most_nodes_of_a_host(options);
  const cpu_budget budget = resolve_cpu_budget(view, options.processors * nodes_here);
  if (options.processors == 0) options.processors = std::max(1, budget.processors / nodes_here);
  if (const auto room = require_room(options, world); !room) return error{room.problem()};
  const int here = options.processors * nodes_here, all = options.processors * options.nodes;
  const bool one_core_each = here <= budget.allowed;
  if (!options.hosts.empty())
    return placement{{},
                     one_core_each,
                     fmt::format("{} hosts, {} nodes of {}: {} processors in all",
                                 options.hosts.size(), options.nodes, options.processors, all)};
  if (nodes_here != options.nodes)
    return placement{
        {},
        one_core_each,
        fmt::format("{}; {} nodes of {}, {} here: {} processors in all", budget.sentence,
                    options.nodes, options.processors, nodes_here, all)};
  sharing_signs signs = read_sharing_signs(view, budget);
  signs.processors = all;
  const pinning_decision pinning =
      decide_pinning(options.pinning, signs, [] { return read_topology(affinity_cpus()); });
  std::string sentence = budget.sentence;
  if (all != budget.processors)
    sentence += fmt::format("; {} nodes of {}: {} in all", options.nodes, options.processors, all);
  return placement{pinning.cpu_of_processor, one_core_each, sentence};
}

}  // namespace terrane
