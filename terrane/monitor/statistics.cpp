// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "terrane/base/clock.hpp"
#include "terrane/base/plural.hpp"

namespace terrane {

namespace {

std::string to_text(const std::vector<rare_probe>& probes) {
  std::string text;
  for (const rare_probe& each : probes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", each.name, each.count);
  return text;
}

using json = nlohmann::ordered_json;

json to_json(const std::vector<rare_probe>& probes) {
  json object = json::object();
  for (const rare_probe& each : probes) object[each.name] = each.count;
  return object;
}

/// One line about all wires, and one for each of the busiest.
std::string to_text(std::vector<wire_statistics> wires) {
  constexpr std::size_t shown = 8;
  std::sort(wires.begin(), wires.end(), [](const wire_statistics& one, const wire_statistics& two) {
    return one.bytes != two.bytes ? one.bytes > two.bytes
                                  : std::tie(one.from, one.to) < std::tie(two.from, two.to);
  });
  std::string text;
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < wires.size() && i < shown; ++i) {
    const wire_statistics& each = wires[i];
    fmt::format_to(out,
                   "terrane: wire {} to {}: {} in {}, {}; round trip {:.0f} us (least {:.0f}); "
                   "blocked for {:.3f} s\n",
                   each.from, each.to, plural(each.messages, "message"),
                   plural(each.frames, "frame"), plural(each.bytes, "byte"),
                   each.round_trip_seconds * 1e6, each.round_trip_min_seconds * 1e6,
                   each.blocked_seconds);
  }
  if (wires.size() > shown)
    fmt::format_to(out, "terrane: and {} more\n", plural(wires.size() - shown, "wire"));
  return text;
}

json to_json(const std::vector<wire_statistics>& wires) {
  json list = json::array();
  for (const wire_statistics& each : wires)
    list.push_back({{"from", each.from},
                    {"to", each.to},
                    {"messages", each.messages},
                    {"frames", each.frames},
                    {"bytes", each.bytes},
                    {"writes", each.writes},
                    {"blocked_seconds", each.blocked_seconds},
                    {"round_trip_seconds", each.round_trip_seconds},
                    {"round_trip_min_seconds", each.round_trip_min_seconds},
                    {"resent", each.resent}});
  return list;
}

/// The means by node; then the messages of each pair of nodes, of both directions together.
json to_json(const std::vector<node_load>& loads) {
  json nodes = json::array(), links = json::array();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> pairs;
  for (const node_load& each : loads) {
    json one = {{"node", each.node}};
    for (const auto& [name, mean] : each.means) one[name] = mean;
    if (!each.means.empty()) nodes.push_back(std::move(one));
    for (const auto& [other, sent] : each.sent_to)
      pairs[{std::min(each.node, other), std::max(each.node, other)}] += sent;
  }
  for (const auto& [pair, messages] : pairs)
    links.push_back({{"nodes", {pair.first, pair.second}}, {"rem-comm", messages}});
  return {{"means", std::move(nodes)}, {"links", std::move(links)}};
}

}  // namespace

std::string to_text(const run_statistics& run) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "terrane: {} of {}, world {}, balancer {}, seed {}\n",
                 plural(run.nodes, "node"), plural(run.processors, "processor"), run.world,
                 run.balancer, run.seed);
  fmt::format_to(out, "terrane: {:.6f} s elapsed, {}, {}, {} moved, {}\n", run.elapsed_seconds,
                 plural(run.tokens_generated, "token"), plural(run.fibers_executed, "fiber"),
                 plural(run.tokens_moved, "token"), plural(run.messages_sent, "message"));
  if (const std::uint64_t reads = run.cache_hits + run.cache_misses; reads != 0)
    fmt::format_to(out, "terrane: I-structures: {} of other nodes' elements, {} answered here\n",
                   plural(reads, "read"), run.cache_hits);
  if (run.of_world.report) text += run.of_world.report->to_text();
  if (!run.of_world.wires.empty()) text += to_text(run.of_world.wires);
  if (!run.of_world.probes.empty())
    fmt::format_to(out, "terrane: rare branches: {}\n", to_text(run.of_world.probes));
  fmt::format_to(out, "{:>9} {:>5} {:>12} {:>12} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "processor",
                 "node", "tokens", "fibers", "run", "balance", "poll", "idle", "switch");
  const double whole = run.elapsed_seconds > 0 ? run.elapsed_seconds / 100 : 1;
  for (const auto& each : run.per_processor)
    fmt::format_to(out,
                   "{:>9} {:>5} {:>12} {:>12} {:>7.1f}% {:>7.1f}% {:>7.1f}% {:>7.1f}% {:>7.1f}%\n",
                   each.processor, each.node, each.tokens_generated, each.fibers_executed,
                   each.run_seconds / whole, in_seconds(each.split.balance) / whole,
                   in_seconds(each.split.poll) / whole, in_seconds(each.split.idle) / whole,
                   in_seconds(each.split.switching) / whole);
  return text;
}

std::string to_json(const run_statistics& run) {
  json processors = json::array();
  for (const auto& each : run.per_processor)
    processors.push_back({{"processor", each.processor},
                          {"node", each.node},
                          {"tokens_generated", each.tokens_generated},
                          {"tokens_inlined", each.tokens_inlined},
                          {"tokens_from_pool", each.tokens_from_pool},
                          {"fibers_executed", each.fibers_executed},
                          {"messages_sent", each.messages_sent},
                          {"bytes_sent", each.bytes_sent},
                          {"run_seconds", each.run_seconds},
                          {"balance_seconds", in_seconds(each.split.balance)},
                          {"poll_seconds", in_seconds(each.split.poll)},
                          {"idle_seconds", in_seconds(each.split.idle)},
                          {"switch_seconds", in_seconds(each.split.switching)}});
  json object = {{"world", run.world},
                 {"nodes", run.nodes},
                 {"processors", run.processors},
                 {"balancer", run.balancer},
                 {"seed", run.seed},
                 {"exit_code", run.exit_code},
                 {"elapsed_seconds", run.elapsed_seconds},
                 {"tokens_generated", run.tokens_generated},
                 {"fibers_executed", run.fibers_executed},
                 {"tokens_moved", run.tokens_moved},
                 {"messages_sent", run.messages_sent},
                 {"notes_sent", run.notes_sent},
                 {"cache_hits", run.cache_hits},
                 {"cache_misses", run.cache_misses},
                 {"names_reused", run.names_reused},
                 {"late_wake_ups", run.late_wake_ups},
                 {"messages_forwarded", run.messages_forwarded},
                 {"members_moved", run.members_moved},
                 {"messages_unexpected_peak", run.messages_unexpected_peak},
                 {"frame_bytes", run.frame_bytes},
                 {"peak_resident_bytes", run.peak_resident_bytes},
                 {"per_processor", std::move(processors)}};
  if (!run.profile.nodes.empty()) object["profile"] = json::parse(to_json(run.profile));
  if (run.waits.is_noted) {
    object["wait_seconds"] = in_seconds(run.waits.waited_ns);
    object["hidden_wait_seconds"] = in_seconds(run.waits.hidden_ns);
    object["waits"] = json::parse(to_json(run.waits));
  }
  if (!run.loads.empty()) object["metrics"] = to_json(run.loads);
  if (!run.of_world.wires.empty()) object["wires"] = to_json(run.of_world.wires);
  if (run.of_world.report) {
    const json more = json::parse(run.of_world.report->to_json(run.elapsed_seconds));
    for (const auto& [name, value] : more.items()) object[name] = value;
  }
  if (rare_common) object["probes"] = to_json(run.of_world.probes);
  return object.dump();
}

}  // namespace terrane
