// SPDX-License-Identifier: Apache-2.0
// networks.cpp: terrane networks: prints the simulated machines that come with Terrane, and the
// file of each.
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "terrane/machine/wording.hpp"
#include "terrane/transport/network.hpp"
#include "tools/terrane/command.hpp"

namespace terrane {

namespace {

constexpr std::size_t name_columns = 9;

/// A time in the largest unit in which it is at least 1, for example `1.5 us`.
std::string time_of(std::uint64_t ns) {
  if (ns >= 1'000'000) return fmt::format("{:.4g} ms", static_cast<double>(ns) / 1e6);
  if (ns >= 1000) return fmt::format("{:.4g} us", static_cast<double>(ns) / 1e3);
  return fmt::format("{} ns", ns);
}

std::string topology_of(const network_costs& costs) {
  switch (costs.topology) {
    case topology_kind::crossbar: return "crossbar";
    case topology_kind::shared: return "shared medium";
    case topology_kind::tree: break;
  }
  return fmt::format("tree of buses for {}", costs.bus_nodes);
}

std::string bandwidth_of(const network_costs& costs) {
  if (costs.bytes_per_ms == 0) return "any bandwidth";
  return fmt::format("{} MB/s", static_cast<double>(costs.bytes_per_ms) / 1000);
}

std::string buffers_of(const network_costs& costs) {
  if (costs.buffer_messages == 0) return "no limit to what is under way";
  return fmt::format("{} messages under way", costs.buffer_messages);
}

std::string described(const network_costs& costs) {
  const std::string indent(name_columns, ' ');
  return fmt::format(
      "{:<{}}{}\n"
      "{}latency {}, send {}, receive {}, gap {}, jitter {}\n"
      "{}{}, {}, {}; {} price{}\n"
      "{}fiber {}, token {}, poll {}, balancer {}, local {}\n",
      costs.name, name_columns, costs.summary, indent, time_of(costs.latency_ns),
      time_of(costs.send_overhead_ns), time_of(costs.receive_overhead_ns), time_of(costs.gap_ns),
      time_of(costs.jitter_ns), indent, topology_of(costs), bandwidth_of(costs), buffers_of(costs),
      costs.price_ps.size(), costs.price_ps.size() == 1 ? "" : "s", indent, time_of(costs.fiber_ns),
      time_of(costs.token_ns), time_of(costs.poll_ns), time_of(costs.balance_ns),
      time_of(costs.local_message_ns));
}

int print_all() {
  for (const network_costs& each : network_presets()) std::fputs(described(each).c_str(), stdout);
  std::fputs(
      "\nTo run on one: terrane run --world sim --network NAME (docs/simulation.md).\n"
      "To see where its numbers are from, and to begin one of your own:\n"
      "  terrane networks sp2 > mine.net\n"
      "  terrane run --world sim --network mine.net --nodes 32 queens 12 4\n",
      stdout);
  return 0;
}

int refuse_network(std::string_view name) {
  const auto presets = network_presets();
  std::vector<std::string_view> names;
  names.reserve(presets.size());
  for (const network_costs& each : presets) names.push_back(each.name);
  const std::string_view near = nearest(name, names);
  return refuse(fmt::format("there is no network '{}'{} (see terrane networks)", name,
                            near.empty() ? "" : fmt::format(": did you mean {}?", near)));
}

}  // namespace

int networks_command(const words& arguments) {
  if (arguments.empty()) return print_all();
  if (arguments.size() > 1)
    return refuse(fmt::format("networks takes one network, not also '{}'", arguments[1]));
  const std::string_view file = preset_file(arguments[0]);
  if (file.empty()) return refuse_network(arguments[0]);
  std::fwrite(file.data(), 1, file.size(), stdout);
  return 0;
}

}  // namespace terrane
