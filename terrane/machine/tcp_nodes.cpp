// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/tcp_nodes.hpp"

#include <unistd.h>

#include <utility>

#include "terrane/base/build_id.hpp"
#include "terrane/machine/progress.hpp"
#include "terrane/transport/tcp/tcp_node.hpp"
#include "terrane/transport/tcp/tcp_roster.hpp"
#include "terrane/transport/tcp/tcp_world.hpp"

namespace terrane {

namespace {

constexpr int eager_nodes_max = 64;

std::string name_of_this_host() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

class tcp_processes final : public process_job {
 public:
  tcp_processes(const run_options& options, placement placed, std::unique_ptr<tcp_roster> nodes,
                tcp_invitation invitation)
      : processors_(options.processors),
        placed_(std::move(placed)),
        nodes_(std::move(nodes)),
        invitation_(std::move(invitation)) {}

  roster& nodes() override { return *nodes_; }

  result<std::unique_ptr<roster_line>> join(const node_process& mine) override {
    tcp_invitation its = invitation_;
    its.node = mine.node;
    auto joined = tcp_node::join(its, nodes_->secret());
    if (!joined) return error{joined.problem()};
    return std::unique_ptr<roster_line>(std::move(joined).value());
  }

  result<std::unique_ptr<machine>> make_node(roster_line& line, node_id,
                                             run_options options) override {
    options.nodes = static_cast<int>(invitation_.nodes);
    options.processors = processors_;
    const bool eager = options.connect == connect_time::automatic
                           ? options.nodes <= eager_nodes_max
                           : options.connect == connect_time::eager;
    auto made = tcp_world::make(static_cast<tcp_node&>(line),
                                {.processors_per_node = static_cast<std::uint32_t>(processors_),
                                 .progress = options.progress,
                                 .eager = eager},
                                {.spin = placed_.one_core_each,
                                 .cpu_of_processor = placed_.cpu_of_processor,
                                 .rare = options.faults.rare,
                                 .seed = options.seed,
                                 .longest_sleep_ns = longest_sleep_ns(options)});
    if (!made) return error{made.problem()};
    return machine::make(options, std::move(made).value());
  }

  bool starts_anew(node_id) const override { return false; }
  error start_anew(const node_process&, char**) override { return {"it is started by a fork"}; }

 private:
  const int processors_;  // of a node
  const placement placed_;
  const std::unique_ptr<tcp_roster> nodes_;
  const tcp_invitation invitation_;
};

}  // namespace

result<std::unique_ptr<process_job>> make_tcp_job(const run_options& options,
                                                  const placement& placed) {
  tcp_roster_options about{.nodes = static_cast<std::uint32_t>(options.nodes),
                           .host = name_of_this_host(),
                           .interface = "127.0.0.1",
                           .build = build_id(),
                           .heartbeat_ms = static_cast<std::uint64_t>(options.heartbeat_ms),
                           .secured = options.tls,
                           .watched = is_progress_wanted(options)};
  auto nodes = tcp_roster::make(about);
  if (!nodes) return error{nodes.problem()};
  tcp_invitation invitation{.nodes = about.nodes,
                            .launcher = nodes.value()->where(),
                            .host = about.host,
                            .build = about.build,
                            .heartbeat_ms = about.heartbeat_ms,
                            .secured = about.secured,
                            .watched = about.watched};
  return std::unique_ptr<process_job>(std::make_unique<tcp_processes>(
      options, placed, std::move(nodes).value(), std::move(invitation)));
}

}  // namespace terrane
