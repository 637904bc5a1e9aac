// SPDX-License-Identifier: Apache-2.0
#include "dashboard/level_bins.hpp"

#include <algorithm>
#include <utility>

namespace terrane {

namespace {

class level {
 public:
  level(std::size_t nodes, std::int64_t begin, std::int64_t bin_ns, std::size_t bins)
      : begin_(begin), bin_ns_(bin_ns), end_(begin + bin_ns * static_cast<std::int64_t>(bins)) {
    sums_.assign(nodes, std::vector<double>(bins));
    values_.assign(nodes, 0);
    since_.assign(nodes, begin);
  }
  void set(std::uint32_t node, std::int64_t now, double to) {
    if (node >= values_.size()) return;
    settle(node, now);
    values_[node] = to;
    any_ = true;
  }
  void add(std::uint32_t node, std::int64_t now, double more) {
    if (node < values_.size()) set(node, now, std::max(0.0, values_[node] + more));
  }
  bool any() const { return any_; }
  level_bins finish(std::string title, std::int64_t end) {
    for (std::uint32_t node = 0; node < values_.size(); ++node) settle(node, end);
    return {std::move(title), std::move(sums_)};
  }

 private:
  void settle(std::uint32_t node, std::int64_t now) {
    std::int64_t& from = since_[node];
    for (now = std::min(now, end_); from < now;) {
      const auto bin = static_cast<std::size_t>((from - begin_) / bin_ns_);
      const std::int64_t border =
          std::min(now, begin_ + static_cast<std::int64_t>(bin + 1) * bin_ns_);
      sums_[node][bin] +=
          values_[node] * static_cast<double>(border - from) / static_cast<double>(bin_ns_);
      from = border;
    }
  }
  const std::int64_t begin_, bin_ns_, end_;
  std::vector<std::vector<double>> sums_;
  std::vector<double> values_;
  std::vector<std::int64_t> since_;
  bool any_ = false;
};

}  // namespace

std::vector<level_bins> find_level_bins(const trace_file& file, const known_events& known,
                                        std::int64_t begin, std::int64_t bin_ns, std::size_t bins) {
  const std::size_t nodes = file.run().nodes;
  level ready(nodes, begin, bin_ns, bins), tokens(nodes, begin, bin_ns, bins),
      memory(nodes, begin, bin_ns, bins);
  std::int64_t last = begin;
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    last = std::max(last, event.ns);
    const std::uint32_t node = file.sources()[event.source].node;
    const auto is = [&](std::uint32_t type) { return event.type == type; };
    if (is(known.fiber_ready)) ready.add(node, last, 1);
    if (is(known.fiber_unready)) ready.add(node, last, -1);
    if (is(known.token_queued) || is(known.token_invoked) || is(known.token_arrived))
      tokens.add(node, last, 1);
    if (is(known.token_started) || is(known.token_given)) tokens.add(node, last, -1);
    if (is(known.memory_used))
      memory.set(node, last, static_cast<double>(event.values[0]) / (1 << 20));
  }
  std::vector<level_bins> found;
  if (ready.any()) found.push_back(ready.finish("ready fibers and threads", last));
  if (tokens.any()) found.push_back(tokens.finish("tokens waiting", last));
  if (memory.any()) found.push_back(memory.finish("memory in MiB", last));
  return found;
}

}  // namespace terrane
