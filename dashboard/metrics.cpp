// SPDX-License-Identifier: Apache-2.0
#include "dashboard/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "dashboard/activity.hpp"

namespace terrane {

namespace {

constexpr std::size_t rows_most = 4'000'000;

// --- metrics that change with events ---

/// A number of each node over time, as rows of changes or of means.
class changing {
 public:
  changing(const metric_choice& how, std::uint32_t nodes, std::vector<metric_row>& rows)
      : how_(how), rows_(rows), states_(nodes) {}

  void add(std::uint32_t node, std::int64_t now, int more) {
    if (node >= states_.size()) return;
    state& its = states_[node];
    settle(node, now);
    its.value += more;
    if (how_.sample_ns == 0) put(node, now, static_cast<double>(its.value));
  }
  void finish(std::int64_t end) {
    if (how_.sample_ns != 0)
      for (std::uint32_t node = 0; node < states_.size(); ++node) settle(node, end);
  }

 private:
  struct state {
    std::int64_t value = 0, since = 0, sample_ends = 0;
    double sum = 0;  // of value times nanoseconds, in this sample
  };
  void put(std::uint32_t node, std::int64_t at, double value) {
    if (rows_.size() < rows_most) rows_.push_back({how_.what, at, node, node, value});
  }
  /// Ends the samples that are over by now.
  void settle(std::uint32_t node, std::int64_t now) {
    state& its = states_[node];
    if (how_.sample_ns == 0 || now < its.since) return;
    if (its.sample_ends == 0) its.sample_ends = how_.sample_ns;
    while (its.sample_ends <= now && rows_.size() < rows_most) {
      its.sum += static_cast<double>(its.value) * static_cast<double>(its.sample_ends - its.since);
      put(node, its.sample_ends, its.sum / static_cast<double>(how_.sample_ns));
      its.since = its.sample_ends;
      its.sample_ends += how_.sample_ns;
      its.sum = 0;
    }
    its.sum += static_cast<double>(its.value) * static_cast<double>(now - its.since);
    its.since = now;
  }

  const metric_choice how_;
  std::vector<metric_row>& rows_;
  std::vector<state> states_;
};

void find_changing(const trace_file& file, const known_events& known, const metric_choice& how,
                   std::vector<metric_row>& rows) {
  const std::size_t before = rows.size();
  changing counts(how, file.run().nodes, rows);
  std::int64_t last = 0;
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    last = std::max<std::int64_t>(0, event.ns);
    const auto is = [&](std::uint32_t type) { return event.type == type; };
    const std::uint32_t node = file.sources()[event.source].node;
    if (how.what == metric::rq_length) {
      if (is(known.fiber_ready)) counts.add(node, last, 1);
      if (is(known.fiber_unready)) counts.add(node, last, -1);
    } else if (is(known.thread_made)) {
      counts.add(node, last, 1);
    } else if (is(known.thread_ended)) {
      counts.add(node, last, -1);
    } else if (is(known.move_arrived)) {
      counts.add(static_cast<std::uint32_t>(std::min<std::uint64_t>(event.values[1], 0xffffffffu)),
                 last, -1);
      counts.add(node, last, 1);
    }
  }
  counts.finish(last);
  if (how.sample_ns != 0)
    std::sort(rows.begin() + static_cast<std::ptrdiff_t>(before), rows.end(),
              [](const metric_row& a, const metric_row& b) {
                return a.ns != b.ns ? a.ns < b.ns : a.node < b.node;
              });
}

// --- metrics of periods ---

void find_cpu_time(const trace_file& file, const known_events& known, const metric_choice& how,
                   std::vector<metric_row>& rows) {
  std::vector<std::vector<double>> spent(file.run().nodes);  // by node and period
  std::int64_t end = 0;
  const auto add = [&](std::uint32_t node, std::int64_t from, std::int64_t until, double sign) {
    for (from = std::max<std::int64_t>(0, from); from < until;) {
      const auto period = static_cast<std::size_t>(from / how.period_ns);
      if (period >= rows_most) return;
      if (spent[node].size() <= period) spent[node].resize(period + 1);
      const std::int64_t to = std::min(until, (from / how.period_ns + 1) * how.period_ns);
      spent[node][period] += sign * static_cast<double>(to - from);
      from = to;
    }
  };
  for (std::uint32_t source = 0; source < file.sources().size(); ++source) {
    const std::uint32_t node = file.sources()[source].node;
    if (file.sources()[source].is != trace_source::kind::processor || node >= spent.size())
      continue;
    slice_finder finder(file, known, source);
    finder.visit([&](const slice& each) {
      const bool program = each.kind == slice_kind::fiber;
      const bool runtime = each.kind == slice_kind::poll || each.kind == slice_kind::balance;
      if (program) add(node, each.begin, each.end, 1);
      if (runtime && each.depth > 0 && each.in_fiber) add(node, each.begin, each.end, -1);
    });
    end = std::max(end, finder.last_ns());
  }
  const auto periods = static_cast<std::size_t>(end / how.period_ns);
  const double whole = static_cast<double>(how.period_ns) * file.run().processors;
  for (std::uint32_t node = 0; node < spent.size(); ++node) {
    spent[node].resize(std::max(spent[node].size(), periods));
    double sum = 0;
    for (std::size_t period = 0; period < periods && rows.size() < rows_most; ++period) {
      sum += spent[node][period];
      if (period >= how.window) sum -= spent[node][period - how.window];
      const auto within = static_cast<double>(std::min<std::size_t>(period + 1, how.window));
      rows.push_back({how.what, static_cast<std::int64_t>(period + 1) * how.period_ns, node, node,
                      sum / whole / within});
    }
  }
}

void find_rem_comm(const trace_file& file, const known_events& known, const metric_choice& how,
                   std::vector<metric_row>& rows) {
  std::map<std::pair<std::int64_t, std::pair<std::uint32_t, std::uint32_t>>, std::uint64_t> counts;
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    const bool sent = event.type == known.message_sent;
    const bool given = event.type == known.token_given;
    if (!sent && !given) continue;
    const std::uint32_t from = file.sources()[event.source].node;
    const std::uint64_t to = sent ? event.values[0] / file.run().processors : event.values[1];
    if (to == from || to >= file.run().nodes) continue;
    const auto other = static_cast<std::uint32_t>(to);
    const std::int64_t period = std::max<std::int64_t>(0, event.ns) / how.period_ns;
    ++counts[{period, {std::min(from, other), std::max(from, other)}}];
  }
  for (const auto& [at, count] : counts)
    rows.push_back({how.what, (at.first + 1) * how.period_ns, at.second.first, at.second.second,
                    static_cast<double>(count)});
}

}  // namespace

std::vector<metric_row> find_metrics(const trace_file& file,
                                     const std::vector<metric_choice>& choices) {
  const known_events known(file);
  std::vector<metric_row> rows;
  for (const metric_choice& each : choices) {
    if (each.what == metric::cpu_time)
      find_cpu_time(file, known, each, rows);
    else if (each.what == metric::rem_comm)
      find_rem_comm(file, known, each, rows);
    else
      find_changing(file, known, each, rows);
  }
  return rows;
}

result<void> write_metrics(const trace_file& file, const std::vector<metric_choice>& choices,
                           const text_sink& to) {
  bool good = to("metric,ns,node,other,value\n");
  for (const metric_row& each : find_metrics(file, choices)) {
    const std::string other = each.other == each.node ? "" : std::to_string(each.other);
    good = good && to(fmt::format("{},{},{},{},{:.9g}\n", name_of(each.what), each.ns, each.node,
                                  other, each.value));
  }
  if (good) return {};
  return could_not_write();
}

}  // namespace terrane
