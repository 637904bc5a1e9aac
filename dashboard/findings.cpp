// SPDX-License-Identifier: Apache-2.0
#include "dashboard/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

namespace terrane {

namespace {

using found = std::optional<finding>;

std::string percent(double part) { return fmt::format("{:.0f} %", 100 * part); }

/// The time of all processors.
struct time_sums {
  explicit time_sums(const report_data& all) {
    for (const lane& each : all.lanes) {
      run += each.seconds[static_cast<std::size_t>(share::run)];
      idle += each.seconds[static_cast<std::size_t>(share::idle)];
      for (const double seconds : each.seconds) whole += seconds;
    }
  }
  double run = 0, idle = 0, whole = 0;
};

found lost_events(const trace_file& file) {
  const std::uint64_t dropped = file.dropped();
  if (dropped == 0) return {};
  return finding{
      fmt::format("{} events were dropped, because the rings were full: nothing else is concluded.",
                  dropped),
      "Record again with --trace-full wait, or fewer classes (--events)."};
}

found short_fibers(const report_data& all, const time_sums& sums) {
  constexpr double short_ns = 1000, much = 0.15;
  const double median = all.all_fibers.quantile(0.5), busy = sums.whole - sums.idle;
  const double overhead = 1 - sums.run / std::max(sums.run, busy);
  if (all.all_fibers.count < 1000 || median > short_ns || overhead < much) return {};
  const auto most = std::max_element(
      all.fibers.begin(), all.fibers.end(),
      [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  return finding{
      fmt::format("Fibers are short: half of {} take less than {:.0f} ns, and {} of the time that "
                  "was not idle was spent outside them.",
                  all.all_fibers.count, median, percent(overhead)),
      fmt::format("Most of them are of {}: raise its throttle, so that each does more work before "
                  "it spawns.",
                  most->first)};
}

found idleness(const report_data& all, const time_sums& sums) {
  constexpr double much = 0.2;
  static constexpr const char* cures[] = {
      "The program has not enough parallel work at these times: make tokens earlier, or use fewer "
      "nodes.",
      "Only activations that have begun had work, and they stay where they are: spawn more "
      "activations, or use threads that may move.",
      "Let idle nodes ask sooner: try another balancer (terrane balancers), or a smaller interval.",
      "Answers take long: the nodes that are asked run long fibers, or the network is slow. Try a "
      "balancer that gives before it is asked (snd, spn).",
      "The nodes that are asked keep what they have: look at their decisions, or let them give "
      "more readily (the balancer's parameters: terrane balancers NAME).",
      "Moving work takes a large part of the time: make tokens larger, or keep more of them on "
      "each node (--enough).",
      "Fibers wait for data of other nodes: ask for it earlier, or place it where it is used.",
      "Tokens lay on a node whose processors did not look: check --pinning and what else uses the "
      "cores."};
  static_assert(std::size(cures) == std::size(idle_cause_names));
  if (sums.whole <= 0 || sums.idle / sums.whole < much) return {};
  const auto most = static_cast<std::size_t>(
      std::max_element(all.idle.all.begin(), all.idle.all.end()) - all.idle.all.begin());
  double sum = 0;
  for (const double each : all.idle.all) sum += each;
  if (sum <= 0) return {};
  return finding{fmt::format("Processors were idle for {} of the time, and for {} of that the "
                             "cause was: {}.",
                             percent(sums.idle / sums.whole), percent(all.idle.all[most] / sum),
                             idle_cause_names[most]),
                 cures[most]};
}

found imbalance(const trace_file& file, const report_data& all) {
  std::vector<double> run(file.run().nodes);
  for (const lane& each : all.lanes)
    if (each.node < run.size())
      run[each.node] += each.seconds[static_cast<std::size_t>(share::run)];
  if (run.size() < 2) return {};
  const auto most = std::max_element(run.begin(), run.end());
  double sum = 0;
  for (const double each : run) sum += each;
  const double mean = sum / static_cast<double>(run.size());
  if (mean <= 0 || *most < 1.5 * mean) return {};
  return finding{
      fmt::format("Node {} did {:.1f} times as much work as a node did on average.",
                  most - run.begin(), *most / mean),
      "Look at its row in the heat map, and at the decisions of its balancer; a balancer that "
      "asks (rand, his) spreads work more evenly than none."};
}

/// If the span alone is most of the time, more processors do not help.
found narrow_path(const report_data& all) {
  constexpr double much = 0.7;
  const auto whole = static_cast<double>(all.end - std::min<std::int64_t>(0, all.begin));
  const auto span = static_cast<double>(all.path.span_ns);
  if (!all.path.why_not.empty() || all.lanes.size() < 2 || span < much * whole) return {};
  return finding{fmt::format("The longest chain of fibers takes {} of the time by itself: with any "
                             "number of processors the program would need {:.3g} s.",
                             percent(span / whole), 1e-9 * span),
                 "Split the functions that the critical path names, or begin them earlier."};
}

}  // namespace

std::vector<finding> find_findings(const trace_file& file, const known_events& known,
                                   const report_data& all) {
  if (const found lost = lost_events(file)) return {*lost};
  const time_sums sums(all);
  std::vector<finding> findings;
  const auto note = [&findings](const found& each) {
    if (each) findings.push_back(*each);
  };
  if (known.fiber_started != 0) note(short_fibers(all, sums));
  note(idleness(all, sums));
  note(imbalance(file, all));
  note(narrow_path(all));
  return findings;
}

}  // namespace terrane
