// SPDX-License-Identifier: Apache-2.0
// aligned_clocks.cpp: the times of processes on other hosts, as the launcher's clock would show
// them.
//
// Method      The stamps that a process exchanged with the launcher say how far its clock is from
//             the launcher's, and how exactly (clock_alignment.hpp). Processes whose stamps allow
//             that both have one clock are left as they are. Within what the stamps leave open,
//             messages decide: none arrives before it left. If that cannot be had, `clock_doubts`
//             says so.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <limits>

#include "terrane/trace/format.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

namespace {

constexpr std::size_t exchanges_max = 1'000'000;

}  // namespace

void trace_file::read_exchange(std::uint32_t process, std::string_view bytes) {
  std::uint64_t fields[3];
  if (bytes.size() != sizeof fields) return complain("an exchange of stamps is damaged");
  std::memcpy(fields, bytes.data(), sizeof fields);
  auto& all = exchanges_[process];
  if (all.size() < exchanges_max)
    all.push_back({static_cast<std::int64_t>(fields[0]), static_cast<std::int64_t>(fields[1]),
                   static_cast<std::int64_t>(fields[2])});
}

std::int64_t trace_file::launcher_time(std::uint32_t process, std::int64_t ns) const {
  const auto found = alignments_.find(process);
  return found == alignments_.end() ? ns : found->second.first.there_at(ns) + found->second.second;
}

void trace_file::align_clocks() {
  if (run_.simulated) return;
  for (const auto& [process, all] : exchanges_) {
    const clock_alignment found(all);
    if (found.is_known() && !found.may_be_equal()) alignments_[process] = {found, 0};
  }
  if (alignments_.empty()) return;
  began_ = launcher_time(began_by_, began_);
  for (const auto& [process, its] : alignments_) {
    std::int64_t error = 0;
    if (const auto points = clocks_.find(process); points != clocks_.end())
      for (const clock_point& each : points->second)
        error = std::max(error, its.first.error_at(each.ns));
    host_clocks_.push_back({process, its.first.first_offset(), its.first.drift(), error, 0});
  }
  move_by_messages();
}

/// Moves the times of each process on another host, by no more than its bound, until no message
/// arrives before it left.
void trace_file::move_by_messages() {
  const std::uint32_t sent = type_of("message_sent"), taken = type_of("message_taken");
  if (sent == 0 || taken == 0 || types_[sent].fields.empty() || types_[taken].fields.empty())
    return;
  for (const trace_source& each : sources_)
    if (each.all_dropped() != 0) return;  // then messages cannot be told from each other
  // By processors: when messages left that have not arrived; by processes: the most that one
  // arrived too early.
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::deque<std::int64_t>> left;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> early;
  std::map<std::uint64_t, std::uint32_t> process_of;
  for (const trace_source& each : sources_)
    if (each.is == trace_source::kind::processor) process_of[each.number] = each.process;
  const auto visit = [&](std::uint32_t type, auto&& use) {
    for (std::uint32_t source = 0; source < sources_.size(); ++source) {
      if (sources_[source].is != trace_source::kind::processor) continue;
      cursor events(*this, source);
      for (trace_event event; events.next(event);) {
        if (event.type != type) continue;
        const auto other = process_of.find(event.values[0]);
        if (other != process_of.end() && other->second != sources_[source].process)
          use(event, sources_[source], other->second);
      }
    }
  };
  visit(sent, [&](const trace_event& event, const trace_source& source, std::uint32_t) {
    left[{source.number, event.values[0]}].push_back(event.ns);
  });
  visit(taken, [&](const trace_event& event, const trace_source& source, std::uint32_t from) {
    auto& waiting = left[{event.values[0], source.number}];
    if (waiting.empty()) return;
    const std::int64_t too_early = waiting.front() - event.ns;
    waiting.pop_front();
    auto& most =
        early.try_emplace({from, source.process}, std::numeric_limits<std::int64_t>::min() / 4)
            .first->second;
    most = std::max(most, too_early);
  });
  const auto moved = [&](std::uint32_t process) -> std::int64_t {
    const auto found = alignments_.find(process);
    return found == alignments_.end() ? 0 : found->second.second;
  };
  const auto bound_of = [&](std::uint32_t process) -> std::int64_t {
    for (const host_clock& each : host_clocks_)
      if (each.process == process) return each.error_ns;
    return 0;
  };
  // Each round moves who receives later, or where its bound is reached who sends earlier.
  for (std::size_t round = 0; round < 2 * alignments_.size() + 2; ++round)
    for (const auto& [pair, most] : early) {
      std::int64_t missing = most + moved(pair.first) - moved(pair.second);
      if (missing <= 0) continue;
      const std::int64_t later =
          std::clamp<std::int64_t>(bound_of(pair.second) - moved(pair.second), 0, missing);
      if (later != 0) alignments_[pair.second].second += later;
      missing -= later;
      const std::int64_t earlier =
          std::clamp<std::int64_t>(bound_of(pair.first) + moved(pair.first), 0, missing);
      if (earlier != 0) alignments_[pair.first].second -= earlier;
    }
  for (host_clock& each : host_clocks_) each.moved_ns = moved(each.process);
  for (const auto& [pair, most] : early) {
    const std::int64_t missing = most + moved(pair.first) - moved(pair.second);
    if (missing > 0)
      clock_doubts_.push_back(
          fmt::format("messages from the process of node {} to that of node {} seem to arrive up "
                      "to {} us before "
                      "they left: the stamps that their hosts exchanged allow nothing better",
                      pair.first, pair.second, (missing + 999) / 1000));
  }
}

}  // namespace terrane
