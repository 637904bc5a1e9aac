// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/tcp_nodes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "terrane/machine/build_id.hpp"
#include "terrane/machine/fixed_addresses.hpp"
#include "terrane/machine/hosts.hpp"
#include "terrane/machine/launcher_command.hpp"
#include "terrane/machine/progress.hpp"
#include "terrane/machine/remote_guard.hpp"
#include "terrane/machine/remote_nodes.hpp"
#include "terrane/machine/started_anew.hpp"
#include "terrane/machine/trace_start.hpp"
#include "terrane/machine/ucx_wires.hpp"
#include "terrane/transport/tcp/tcp_network.hpp"
#include "terrane/transport/tcp/tcp_node.hpp"
#include "terrane/transport/tcp/tcp_roster.hpp"
#include "terrane/transport/wired_world.hpp"

namespace terrane {

namespace {

constexpr int eager_nodes_max = 64;

/// A large message is received into a block of its own. Without this the C library would give the
/// block's memory back to the kernel each time, and get it again page by page.
void keep_freed_blocks() {
#if defined(M_MMAP_THRESHOLD) && defined(M_TRIM_THRESHOLD)
  mallopt(M_MMAP_THRESHOLD, 4 << 20);
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

/// What the node and the launcher tell each other of their clocks goes to the run's trace.
result<void> compare_clocks(tcp_node& node, const std::string& trace) {
  auto file = std::make_shared<descriptor>(open(trace.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  if (!*file)
    return error{fmt::format("cannot write the trace {}: {}", trace, std::strerror(errno))};
  node.compare_clocks([file, process = node.number()](std::uint64_t asked, std::uint64_t launcher,
                                                      std::uint64_t told) {
    append_whole(file->number(), exchange_chunk(process, asked, launcher, told));
  });
  return {};
}

class tcp_processes final : public process_job {
 public:
  /// The launcher's, and of the processes that it forks. plan: null: all nodes are such processes.
  tcp_processes(int processors, placement placed, std::unique_ptr<tcp_roster> nodes,
                tcp_invitation invitation, std::optional<remote_plan> plan)
      : processors_(processors),
        placed_(std::move(placed)),
        nodes_(std::move(nodes)),
        secret_(nodes_->secret()),
        invitation_(std::move(invitation)),
        plan_(std::move(plan)) {}
  /// Of a process that was started on a host.
  tcp_processes(const remote_invitation& given, const job_secret& secret)
      : processors_(given.processors),
        placed_{.one_core_each = given.spins},
        secret_(secret),
        invitation_(given.run) {}

  roster& nodes() override { return *nodes_; }

  result<std::unique_ptr<roster_line>> join(const node_process& mine) override {
    tcp_invitation its = invitation_;
    its.node = mine.node;
    auto joined = tcp_node::join(its, secret_);
    if (!joined) return error{joined.problem()};
    return std::unique_ptr<roster_line>(std::move(joined).value());
  }

  result<std::unique_ptr<machine>> make_node(roster_line& line, node_id,
                                             run_options options) override {
    options.nodes = static_cast<int>(invitation_.nodes);
    options.processors = processors_;
    keep_freed_blocks();
    const bool few = options.nodes <= eager_nodes_max;
    const bool eager = options.wire == wire_choice::ucx || options.connect == connect_time::eager ||
                       (options.connect == connect_time::automatic && few);
    auto& mine = static_cast<tcp_node&>(line);
    auto wires = wires_for(options, [&mine](const network_shape& shape, network_user& user) {
      return std::make_unique<tcp_network>(shape, mine.who(), mine.admitted(), mine.take_listener(),
                                           mine.places(), user);
    });
    if (!wires) return error{wires.problem()};
    if (!options.trace_file.empty())
      if (auto compared = compare_clocks(mine, options.trace_file); !compared)
        return error{compared.problem()};
    auto made =
        wired_world::make(mine, wires.value(),
                          {.processors_per_node = static_cast<std::uint32_t>(processors_),
                           .progress = options.progress,
                           .eager = eager},
                          {.spin = placed_.one_core_each,
                           .cpu_of_processor = placed_.cpu_of_processor,
                           .rare = options.faults.rare,
                           .seed = options.seed,
                           .longest_sleep_ns = longest_sleep_ns(options),
                           .guard_word = invitation_.guards_agreed ? secret_.guard_word() : 0});
    if (!made) return error{made.problem()};
    return machine::make(options, std::move(made).value());
  }

  bool starts_anew(node_id) const override { return plan_.has_value(); }
  error start_anew(const node_process& mine, char** argv) override {
    remote_invitation what{invitation_, processors_, placed_.one_core_each};
    what.run.node = mine.node;
    return start_remote(*plan_, what, secret_, argv);
  }

 private:
  const int processors_;  // of a node
  const placement placed_;
  const std::unique_ptr<tcp_roster> nodes_;  // null in a process on another host
  const job_secret& secret_;
  const tcp_invitation invitation_;
  const std::optional<remote_plan> plan_;
};

}  // namespace

result<std::unique_ptr<process_job>> make_tcp_job(const run_options& options,
                                                  const placement& placed) {
  // What is wrong with the wires is said once, before there are nodes.
  if (auto wires = wires_for(options, {}); !wires) return error{wires.problem()};
  auto build = own_build_id();
  if (!build) return error{build.problem()};
  std::optional<remote_plan> plan;
  std::string interface = "127.0.0.1";
  if (!options.hosts.empty() || options.layout == node_layout::own) {
    auto made = options.hosts.empty() ? plan_anew_here(options) : plan_remote(options);
    if (!made) return error{made.problem()};
    plan.emplace(std::move(made).value());
  }
  if (!options.hosts.empty()) {
    auto found = address_for(*plan, options.interface);
    if (!found) return error{found.problem()};
    interface = std::move(found).value();
  }
  tcp_roster_options about{.nodes = static_cast<std::uint32_t>(options.nodes),
                           .host = name_of_this_host(),
                           .interface = interface,
                           .build = build.value(),
                           .heartbeat_ms = static_cast<std::uint64_t>(options.heartbeat_ms),
                           .secured = options.tls,
                           .watched = is_progress_wanted(options),
                           .by_hand = plan && plan->launcher.is_printed()};
  for (node_id n = 0; plan && n < about.nodes; ++n) about.hosts.push_back(plan->host_of(n).name);
  auto nodes = tcp_roster::make(about);
  if (!nodes) return error{nodes.problem()};
  tcp_invitation invitation{.nodes = about.nodes,
                            .launcher = nodes.value()->where(),
                            .host = about.host,
                            .build = about.build,
                            .processors = static_cast<std::uint32_t>(options.nodes) *
                                          static_cast<std::uint32_t>(options.processors),
                            .heartbeat_ms = about.heartbeat_ms,
                            .secured = about.secured,
                            .watched = about.watched,
                            .guards_agreed = plan && options.layout == node_layout::same};
  return std::unique_ptr<process_job>(
      std::make_unique<tcp_processes>(options.processors, placed, std::move(nodes).value(),
                                      std::move(invitation), std::move(plan)));
}

result<std::optional<int>> join_tcp(const run_order& order) {
  const char* const told = std::getenv(node_variable);
  if (!told) return std::optional<int>();
  auto given = invitation_of(told);
  if (!given)
    return error{fmt::format(
        "the environment variable {} is for nodes that terrane starts, and '{}' names none: unset "
        "it",
        node_variable, told)};
  unsetenv(node_variable);  // programs that this one starts are not nodes
  end_fixed_addresses();
  if (const char* const copy = std::getenv(copy_variable)) {
    unlink(copy);  // it runs on without a name
    unsetenv(copy_variable);
  }
  guard_this_process();
  auto secret = job_secret::read_from(STDIN_FILENO);
  if (!secret) return error{secret.problem()};
  auto build = own_build_id();
  if (!build) return error{build.problem()};
  given->run.host = name_of_this_host();
  given->run.build = build.value();
  given->run.processors = given->run.nodes * static_cast<std::uint32_t>(given->processors);
  given->run.secured = order.options.tls;
  given->run.heartbeat_ms = static_cast<std::uint64_t>(order.options.heartbeat_ms);
  tcp_processes job(*given, secret.value());
  return std::optional(run_as_node(job, {.node = given->run.node}, order));
}

}  // namespace terrane
