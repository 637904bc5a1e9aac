// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/shm_nodes.hpp"

#include <utility>

#include "terrane/machine/launch.hpp"
#include "terrane/machine/node_process.hpp"
#include "terrane/machine/progress.hpp"
#include "terrane/machine/started_anew.hpp"
#include "terrane/transport/shm.hpp"
#include "terrane/transport/shm_roster.hpp"

namespace terrane {

namespace {

int run_shm_node(shm_job& job, const node_process& mine, const run_order& order) {
  shm_roster_line shown(job, mine.node, mine.result);
  const node_maker make = [&] { return make_shm_node(job, mine.node, order.options); };
  return run_node(shown, mine, order.options, make, order.root, order.args);
}

}  // namespace

result<std::unique_ptr<machine>> make_shm_node(shm_job& job, node_id node, run_options options) {
  if (auto mapped = job.map_processors(node); !mapped) return error{mapped.problem()};
  const job_head& head = job.head();
  options.nodes = static_cast<int>(head.nodes);
  options.processors = static_cast<int>(head.processors_per_node);
  crew_options about;
  about.spin = head.spin;
  about.longest_sleep_ns = longest_sleep_ns(options);
  for (std::uint32_t p = 0; p < job.processors() && head.cpu_of_processor[p] >= 0; ++p)
    about.cpu_of_processor.push_back(head.cpu_of_processor[p]);
  return machine::make(options, std::make_unique<shm_world>(job, node, std::move(about)));
}

result<run_outcome> start_shm(const run_order& order, const placement& placed) {
  auto made = shm_job::make(static_cast<std::uint32_t>(order.options.nodes),
                            static_cast<std::uint32_t>(order.options.processors));
  if (!made) return error{made.problem()};
  shm_job& job = made.value();
  if (auto room = job.try_to_map_processors(); !room) return error{room.problem()};
  job_head& head = job.head();
  head.spin = placed.one_core_each;
  head.watched = is_progress_wanted(order.options);
  for (std::size_t p = 0; p < placed.cpu_of_processor.size(); ++p)
    head.cpu_of_processor[p] = static_cast<std::int16_t>(placed.cpu_of_processor[p]);
  shm_roster nodes(job);
  return launch(order.options, nodes, [&](const node_process& mine) {
    if (order.options.layout == node_layout::same) return run_shm_node(job, mine, order);
    return refuse_node(mine.node, start_anew(job, mine, order.argv).text);
  });
}

result<std::optional<int>> join_shm(const run_order& order) {
  auto mine = this_node_started_anew();
  if (!mine) return error{mine.problem()};
  auto& node = mine.value();
  if (!node) return std::optional<int>();
  return std::optional(run_shm_node(node->job, node->mine, order));
}

}  // namespace terrane
