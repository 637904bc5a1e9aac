// SPDX-License-Identifier: Apache-2.0
// replay.cpp: terrane replay: runs the graph of a trace on other simulated machines, and says how
// long it would take there.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <string_view>
#include <vector>

#include "dashboard/recorded_graph.hpp"
#include "terrane/base/plural.hpp"
#include "terrane/machine/options.hpp"
#include "terrane/machine/worlds.hpp"
#include "terrane/transport/network.hpp"
#include "tools/terrane/command.hpp"
#include "tools/terrane/replayed_program.hpp"

namespace terrane {

namespace {

constexpr std::uint32_t seeds_most = 10'000;
constexpr std::array<std::string_view, 6> machine_options{"--network",  "--nodes", "--processors",
                                                          "--balancer", "--seed",  "--faults"};

struct replay_order {
  std::string trace;
  std::uint32_t seeds = 1;
  words machine;  // options of a run
};

result<replay_order> read_order(const words& all) {
  replay_order order;
  if (all.empty() || all[0].starts_with("-"))
    return error{
        "replay needs a trace first, a file made with --trace FILE --events graph: terrane replay "
        "TRACE --nodes 64"};
  order.trace = all[0];
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string name = all[i].substr(0, all[i].find('='));
    if (name != "--seeds") {
      const bool known =
          std::find(machine_options.begin(), machine_options.end(), name) != machine_options.end();
      if (!known)
        return error{fmt::format(
            "replay takes a trace, --network, --nodes, --processors, --balancer, --seed, --faults "
            "and --seeds, not '{}'",
            all[i])};
      order.machine.push_back(all[i]);
      if (name.size() == all[i].size() && i + 1 < all.size()) order.machine.push_back(all[++i]);
      continue;
    }
    std::string value;
    if (name.size() != all[i].size())
      value = all[i].substr(name.size() + 1);
    else if (i + 1 < all.size())
      value = all[++i];
    const auto got = std::from_chars(value.data(), value.data() + value.size(), order.seeds);
    if (got.ec != std::errc() || got.ptr != value.data() + value.size() || order.seeds == 0 ||
        order.seeds > seeds_most)
      return error{
          fmt::format("--seeds needs a whole number from 1 to {}, not '{}'", seeds_most, value)};
  }
  return order;
}

/// Whether the trace names a library as its balancer, which `options` do not name. A trace may come
/// from anybody, and a library that is opened runs code.
bool names_library_unasked(const trace_run& run, const words& options) {
  if (run.balancer.find('/') == std::string::npos) return false;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i] == "--balancer=" + run.balancer) return false;
    if (i > 0 && options[i - 1] == "--balancer" && options[i] == run.balancer) return false;
  }
  return true;
}

/// The machine of the recorded run, as world sim can have it.
run_options recorded_machine(const trace_run& run) {
  run_options its;
  its.world = simulated_world().name;
  its.network = run.simulated ? run.network : "modern";
  its.nodes = static_cast<int>(std::clamp(run.nodes, 1u, 16384u));
  its.processors = static_cast<int>(std::clamp(run.processors, 1u, 16384u));
  its.balancer = run.balancer.empty() ? "rand" : run.balancer;
  its.seed = run.seed;
  its.quiet = true;
  return its;
}

std::string machine_text(const run_options& its) {
  std::string text =
      fmt::format("{} of {}", plural(static_cast<std::uint64_t>(its.nodes), "node"), its.network);
  if (its.processors > 1) text += fmt::format(" with {} processors each", its.processors);
  return text + ", balancer " + its.balancer;
}

struct spread {
  std::vector<double> values;
  double at(double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(place);
    const auto high = std::min(low + 1, values.size() - 1);
    return values[low] + (values[high] - values[low]) * (place - static_cast<double>(low));
  }
};

/// The parts of the time of all processors.
constexpr std::array<const char*, 5> part_names{"program", "balancing", "messages", "switching",
                                                "idle"};
std::array<double, 5> parts_of(const run_statistics& its) {
  std::array<double, 5> ns{};
  for (const processor_statistics& each : its.per_processor) {
    ns[0] += each.run_seconds * 1e9;
    ns[1] += static_cast<double>(each.split.balance);
    ns[2] += static_cast<double>(each.split.poll);
    ns[3] += static_cast<double>(each.split.switching);
    ns[4] += static_cast<double>(each.split.idle);
  }
  double all = 0;
  for (const double each : ns) all += each;
  for (double& each : ns) each = all > 0 ? 100 * each / all : 0;
  return ns;
}

void print_prediction(const run_options& machine, std::uint32_t seeds, spread& seconds,
                      std::array<spread, 5>& parts) {
  fmt::print("predicted: {}, {}\n", machine_text(machine),
             seeds == 1 ? fmt::format("seed {}", machine.seed)
                        : fmt::format("{} seeds from {}", seeds, machine.seed));
  fmt::print("  time       {:.6f} s", seconds.at(0.5));
  if (seeds > 1)
    fmt::print("   from {:.6f} to {:.6f}, half within {:.6f} to {:.6f}", seconds.at(0),
               seconds.at(1), seconds.at(0.25), seconds.at(0.75));
  fmt::print("\n");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    fmt::print("  {:<10} {:5.1f} %", part_names[i], parts[i].at(0.5));
    if (seeds > 1) fmt::print("       from {:.1f} to {:.1f}", parts[i].at(0), parts[i].at(1));
    fmt::print("\n");
  }
}

int predict(const recorded_graph& graph, const trace_run& run, const run_options& machine,
            std::uint32_t seeds) {
  const run_options as_recorded = recorded_machine(run);
  const auto again = replay(graph, as_recorded);
  if (!again) return refuse("on the recorded machine: " + again.problem());
  const double here = again.value().statistics.elapsed_seconds;
  fmt::print("recorded: {} in world {}, {} activations, {} fibers: {:.6f} s\n", run.program,
             run.world, graph.activations.size(), graph.fibers.size(), graph.elapsed_seconds);
  if (!again.value().ended) return refuse("the graph came to a halt before its end when replayed");
  fmt::print("replayed there ({}): {:.6f} s, {:+.2f} % off\n", machine_text(as_recorded), here,
             graph.elapsed_seconds > 0 ? 100 * (here / graph.elapsed_seconds - 1) : 0);
  for (const std::string& why : graph.depends)
    fmt::print("the graph depends on the machine: {}\n", why);
  spread seconds;
  std::array<spread, 5> parts;
  std::uint64_t early = again.value().early_signals;
  for (std::uint32_t i = 0; i < seeds; ++i) {
    run_options its = machine;
    its.seed = machine.seed + i;
    const auto ran = replay(graph, its);
    if (!ran) return refuse(ran.problem());
    if (!ran.value().ended)
      return refuse(fmt::format("the graph came to a halt before its end on {} with seed {}",
                                machine_text(its), its.seed));
    early += ran.value().early_signals;
    seconds.values.push_back(ran.value().statistics.elapsed_seconds);
    const auto shares = parts_of(ran.value().statistics);
    for (std::size_t part = 0; part < shares.size(); ++part)
      parts[part].values.push_back(shares[part]);
  }
  if (early != 0)
    fmt::print("the graph depends on the machine: {} came for activations that had not begun\n",
               plural(early, "signal"));
  print_prediction(machine, seeds, seconds, parts);
  return 0;
}

}  // namespace

int replay_command(const words& arguments) {
  const auto order = read_order(arguments);
  if (!order) return refuse(order.problem());
  const auto opened = trace_file::open(order.value().trace);
  if (!opened) return refuse(opened.problem());
  const trace_run& run = opened.value()->run();
  if (names_library_unasked(run, order.value().machine))
    return refuse(fmt::format(
        "the run's balancer was the library {0}, which would run its code; if you trust it: "
        "terrane replay {1} --balancer {0}",
        run.balancer, order.value().trace));
  const auto parsed = parse_options(order.value().machine, recorded_machine(run), "");
  if (!parsed) return refuse(parsed.problem());
  const run_options& machine = parsed.value().options;
  if (const auto network = choose_network(machine.network); !network)
    return refuse(network.problem());
  const auto graph = read_graph(*opened.value());
  if (!graph) return refuse(graph.problem());
  if (const auto able = can_replay(graph.value()); !able) return refuse(able.problem());
  return predict(graph.value(), run, machine, order.value().seeds);
}

}  // namespace terrane
