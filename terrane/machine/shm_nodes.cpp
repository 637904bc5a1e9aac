// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/shm_nodes.hpp"

#include <utility>

#include "terrane/machine/progress.hpp"
#include "terrane/machine/started_anew.hpp"
#include "terrane/transport/shm.hpp"
#include "terrane/transport/shm_roster.hpp"

namespace terrane {

namespace {

class shm_processes final : public process_job {
 public:
  shm_processes(shm_job job, node_layout layout)
      : job_(std::move(job)), layout_(layout), nodes_(job_) {}

  roster& nodes() override { return nodes_; }

  result<std::unique_ptr<roster_line>> join(const node_process& mine) override {
    return std::unique_ptr<roster_line>(
        std::make_unique<shm_roster_line>(job_, mine.node, mine.result));
  }

  /// Takes options.nodes and options.processors from the job.
  result<std::unique_ptr<machine>> make_node(roster_line&, node_id mine,
                                             run_options options) override {
    if (auto mapped = job_.map_processors(mine); !mapped) return error{mapped.problem()};
    const job_head& head = job_.head();
    options.nodes = static_cast<int>(head.nodes);
    options.processors = static_cast<int>(head.processors_per_node);
    crew_options about;
    about.spin = head.spin;
    about.longest_sleep_ns = longest_sleep_ns(options);
    for (std::uint32_t p = 0; p < job_.processors() && head.cpu_of_processor[p] >= 0; ++p)
      about.cpu_of_processor.push_back(head.cpu_of_processor[p]);
    return machine::make(options, std::make_unique<shm_world>(job_, mine, std::move(about)));
  }

  bool starts_anew(node_id) const override { return layout_ == node_layout::own; }
  error start_anew(const node_process& mine, char** argv) override {
    return terrane::start_anew(job_, mine, argv);
  }

 private:
  shm_job job_;
  const node_layout layout_;
  shm_roster nodes_;
};

}  // namespace

result<std::unique_ptr<process_job>> make_shm_job(const run_options& options,
                                                  const placement& placed) {
  auto made = shm_job::make(static_cast<std::uint32_t>(options.nodes),
                            static_cast<std::uint32_t>(options.processors));
  if (!made) return error{made.problem()};
  shm_job& job = made.value();
  if (auto room = job.try_to_map_processors(); !room) return error{room.problem()};
  job_head& head = job.head();
  head.spin = placed.one_core_each;
  head.watched = is_progress_wanted(options);
  for (std::size_t p = 0; p < placed.cpu_of_processor.size(); ++p)
    head.cpu_of_processor[p] = static_cast<std::int16_t>(placed.cpu_of_processor[p]);
  return std::unique_ptr<process_job>(
      std::make_unique<shm_processes>(std::move(job), options.layout));
}

result<std::optional<int>> join_shm(const run_order& order) {
  auto mine = this_node_started_anew();
  if (!mine) return error{mine.problem()};
  auto& node = mine.value();
  if (!node) return std::optional<int>();
  shm_processes job(std::move(node->job), order.options.layout);
  return std::optional(run_as_node(job, node->mine, order));
}

}  // namespace terrane
