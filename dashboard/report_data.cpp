// SPDX-License-Identifier: Apache-2.0
#include "dashboard/report_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "dashboard/findings.hpp"
#include "dashboard/run_ends.hpp"

namespace terrane {

void histogram::add(std::uint64_t ns) {
  const auto place = static_cast<std::size_t>(std::bit_width(ns));
  ++counts[std::min(place, counts.size() - 1)];
  ++count;
  sum_ns += static_cast<double>(ns);
}

double histogram::quantile(double part) const {
  const double wanted = part * static_cast<double>(count);
  double seen = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto here = static_cast<double>(counts[i]);
    if (here > 0 && seen + here >= wanted) {
      const double low = i == 0 ? 0 : std::exp2(static_cast<double>(i) - 1);
      const double high = std::exp2(static_cast<double>(i));
      return low + (high - low) * (wanted - seen) / here;
    }
    seen += here;
  }
  return 0;
}

namespace {

share share_of(slice_kind kind) {
  switch (kind) {
    case slice_kind::fiber:
    case slice_kind::thread: return share::run;
    case slice_kind::idle:
    case slice_kind::sleep: return share::idle;
    case slice_kind::poll: return share::poll;
    case slice_kind::balance: return share::balance;
  }
  return share::other;
}

/// Adds stretches of time to bins, each stretch to one share.
class time_sharer {
 public:
  time_sharer(lane& to, std::int64_t begin, std::int64_t end, std::int64_t bin_ns)
      : to_(to), begin_(begin), end_(end), bin_ns_(bin_ns) {
    to.bins.resize(report_data::bins);
  }
  void add(std::int64_t from, std::int64_t until, share which, double sign = 1) {
    until = std::min(until, end_);
    if (from >= until) return;
    to_.seconds[static_cast<std::size_t>(which)] += sign * 1e-9 * static_cast<double>(until - from);
    const auto last = static_cast<std::int64_t>(report_data::bins) - 1;
    while (from < until) {
      const std::int64_t bin = std::clamp<std::int64_t>((from - begin_) / bin_ns_, 0, last);
      const std::int64_t border = bin == last ? until : begin_ + (bin + 1) * bin_ns_;
      const std::int64_t to = std::min(until, std::max(border, from + 1));
      to_.bins[static_cast<std::size_t>(bin)][static_cast<std::size_t>(which)] +=
          static_cast<float>(sign * static_cast<double>(to - from) / static_cast<double>(bin_ns_));
      from = to;
    }
  }

 private:
  lane& to_;
  const std::int64_t begin_, end_, bin_ns_;
};

/// Keeps the longest slices, at most so many.
void keep_longest(lane& of, std::size_t most) {
  if (of.slices.size() <= most) return;
  std::nth_element(
      of.slices.begin(), of.slices.begin() + static_cast<std::ptrdiff_t>(most), of.slices.end(),
      [](const slice& a, const slice& b) { return a.end - a.begin > b.end - b.begin; });
  of.left_out += of.slices.size() - most;
  of.slices.resize(most);
}

void collect_lane(const trace_file& file, const known_events& known, lane& its, report_data& all,
                  std::size_t most) {
  time_sharer shares(its, all.begin, all.end, all.bin_ns());
  slice_finder finder(file, known, its.source);
  // An inner slice is taken out of the one that it lies in: inner ones come first.
  std::vector<std::vector<std::pair<std::int64_t, std::int64_t>>> inner(256);
  finder.visit([&](const slice& each) {
    const share mine = share_of(each.kind);
    shares.add(each.begin, each.end, mine);
    for (const auto& [from, until] : inner[each.depth + 1u]) shares.add(from, until, mine, -1);
    inner[each.depth + 1u].clear();
    if (each.depth > 0) inner[each.depth].emplace_back(each.begin, each.end);
    const auto ns = static_cast<std::uint64_t>(each.end - each.begin);
    if (each.kind == slice_kind::fiber) {
      all.all_fibers.add(ns);
      all.fibers[each.name ? each.name->name : ""].add(ns);
    }
    if (each.kind == slice_kind::idle) all.idle_lengths.add(ns);
    its.slices.push_back(each);
    if (its.slices.size() > 4 * most) keep_longest(its, most);
  });
  keep_longest(its, most);
  std::sort(its.slices.begin(), its.slices.end(), begins_before);
  const double whole = 1e-9 * static_cast<double>(all.end - all.begin);
  double known_seconds = 0;
  for (std::size_t i = 0; i + 1 < share_count; ++i) known_seconds += its.seconds[i];
  its.seconds[static_cast<std::size_t>(share::other)] = std::max(0.0, whole - known_seconds);
}

void collect_traffic(const trace_file& file, report_data& all) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, traffic_of_pair> pairs;
  const std::int64_t width = std::max<std::int64_t>(
      1, (all.end - all.begin) / static_cast<std::int64_t>(report_data::traffic_bins) + 1);
  for (const flow& each : all.moved.all) {
    const auto ns = static_cast<std::uint64_t>(each.arrived - each.left);
    if (each.kind == flow_kind::message) all.message_times.add(ns);
    if (each.kind == flow_kind::token) all.token_times.add(ns);
    const std::uint32_t from = file.sources()[each.from].node, to = file.sources()[each.to].node;
    if (from == to) continue;
    traffic_of_pair& pair = pairs[{from, to}];
    if (pair.messages.empty()) {
      pair = {from, to, std::vector<std::uint64_t>(report_data::traffic_bins),
              std::vector<std::uint64_t>(report_data::traffic_bins)};
    }
    const auto bin = static_cast<std::size_t>(
        std::clamp<std::int64_t>((each.left - all.begin) / width, 0,
                                 static_cast<std::int64_t>(report_data::traffic_bins) - 1));
    ++pair.messages[bin];
    pair.bytes[bin] += each.bytes;
  }
  for (auto& [places, pair] : pairs) all.traffic.push_back(std::move(pair));
}

/// As the run's statistics have it. Processors learn of it later, and are idle meanwhile.
std::int64_t end_of_run(const trace_file& file) {
  for (const run_end& each : ends_of(file))
    if (each.elapsed_seconds > 0) return std::llround(1e9 * each.elapsed_seconds);
  return std::numeric_limits<std::int64_t>::max();
}

}  // namespace

report_data collect(const trace_file& file, const known_events& known) {
  report_data all;
  bool any = false;
  for (std::uint32_t source = 0; source < file.sources().size(); ++source) {
    const trace_source& its = file.sources()[source];
    if (its.is != trace_source::kind::processor) continue;
    lane& made = all.lanes.emplace_back();
    made.source = source;
    made.node = its.node;
    made.processor = its.number;
    trace_file::cursor events(file, source);
    std::int64_t first = 0, last = 0;
    bool has = false;
    for (trace_event event; events.next(event); last = event.ns)
      if (!std::exchange(has, true)) first = event.ns;
    if (!has) continue;
    all.begin = any ? std::min(all.begin, first) : first;
    all.end = any ? std::max(all.end, last) : last;
    any = true;
  }
  std::sort(all.lanes.begin(), all.lanes.end(),
            [](const lane& a, const lane& b) { return a.processor < b.processor; });
  all.end = std::max(std::min(all.end, end_of_run(file)), all.begin + 1);
  const std::size_t most = std::max<std::size_t>(
      50, report_data::slices_most / std::max<std::size_t>(1, all.lanes.size()));
  for (lane& each : all.lanes) collect_lane(file, known, each, all, most);
  all.moved = find_flows(file, known);
  collect_traffic(file, all);
  all.idle = find_idle_causes(file, known, all.end);
  all.path = find_critical_path(file, known, std::min<std::int64_t>(0, all.begin), all.end);
  all.levels = find_level_bins(file, known, all.begin, all.bin_ns(), report_data::bins);
  all.findings = find_findings(file, known, all);
  return all;
}

}  // namespace terrane
