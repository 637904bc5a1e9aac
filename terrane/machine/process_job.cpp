// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/process_job.hpp"

#include "terrane/base/shared_block.hpp"
#include "terrane/machine/launch.hpp"
#include "terrane/monitor/event_rooms.hpp"

namespace terrane {

int run_as_node(process_job& job, const node_process& mine, const run_order& order) {
  auto line = job.join(mine);
  if (!line) return refuse_node(mine.node, line.problem());
  roster_line& shown = *line.value();
  const node_maker make = [&] { return job.make_node(shown, mine.node, order.options); };
  return run_node(shown, mine, order.options, make, order.root, order.args);
}

result<run_outcome> start_processes(const run_order& order, const placement& placed) {
  const auto row = find_world(order.options.world);
  if (!row) return error{"--world " + row.problem()};
  auto made = row.value()->make_job(order.options, placed);
  if (!made) return error{made.problem()};
  process_job& job = *made.value();
  // Nodes that are forked keep their last events where this process sees them.
  run_options options = order.options;
  const auto nodes = static_cast<std::uint32_t>(options.nodes);
  const auto processors = static_cast<std::uint32_t>(options.nodes * options.processors);
  const shared_block kept(flight_recorder::bytes_for(processors, nodes));
  flight_recorder last_events(processors, nodes, false, kept.memory());
  options.last_events = &last_events;
  const run_order forked{options, order.root, order.args, order.argv};
  return launch(options, job.nodes(), [&](const node_process& mine) {
    if (!job.starts_anew(mine.node)) return run_as_node(job, mine, forked);
    return refuse_node(mine.node, job.start_anew(mine, order.argv).text);
  });
}

}  // namespace terrane
