// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/statistics.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "terrane/base/plural.hpp"

namespace terrane {

namespace {

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

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
  if (!run.of_world.probes.empty())
    fmt::format_to(out, "terrane: rare branches: {}\n", to_text(run.of_world.probes));
  fmt::format_to(out, "{:>9} {:>5} {:>12} {:>12} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "processor",
                 "node", "tokens", "fibers", "run", "balance", "poll", "idle", "switch");
  const double whole = run.elapsed_seconds > 0 ? run.elapsed_seconds / 100 : 1;
  for (const auto& each : run.per_processor)
    fmt::format_to(out,
                   "{:>9} {:>5} {:>12} {:>12} {:>7.1f}% {:>7.1f}% {:>7.1f}% {:>7.1f}% {:>7.1f}%\n",
                   each.processor, each.node, each.tokens_generated, each.fibers_executed,
                   each.run_seconds / whole, seconds(each.split.balance) / whole,
                   seconds(each.split.poll) / whole, seconds(each.split.idle) / whole,
                   seconds(each.split.switching) / whole);
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
                          {"balance_seconds", seconds(each.split.balance)},
                          {"poll_seconds", seconds(each.split.poll)},
                          {"idle_seconds", seconds(each.split.idle)},
                          {"switch_seconds", seconds(each.split.switching)}});
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
                 {"frame_bytes", run.frame_bytes},
                 {"peak_resident_bytes", run.peak_resident_bytes},
                 {"per_processor", std::move(processors)}};
  if (run.of_world.report) {
    const json more = json::parse(run.of_world.report->to_json(run.elapsed_seconds));
    for (const auto& [name, value] : more.items()) object[name] = value;
  }
  if (rare_common) object["probes"] = to_json(run.of_world.probes);
  return object.dump();
}

}  // namespace terrane
