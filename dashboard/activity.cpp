// SPDX-License-Identifier: Apache-2.0
#include "dashboard/activity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace terrane {

known_events::known_events(const trace_file& file) {
#define TERRANE_KNOWN(name) name = file.type_of(#name);
  TERRANE_KNOWN_EVENTS(TERRANE_KNOWN)
#undef TERRANE_KNOWN
}

// --- slices ---

void slice_finder::open(std::int64_t at, slice_kind kind, const trace_name* name) {
  constexpr std::size_t depth_max = 250;  // damaged traces alone get there
  if (open_.size() >= depth_max) return;
  open_.push_back({at, at, kind, static_cast<std::uint8_t>(open_.size()), name});
  stacked_ = free_ = at;
}

/// Ends the innermost open slice of that kind, and those within it.
void slice_finder::close(std::int64_t at, slice_kind kind) {
  const auto found = std::find_if(open_.rbegin(), open_.rend(),
                                  [&](const slice& each) { return each.kind == kind; });
  if (found == open_.rend()) return;
  const auto position = static_cast<std::size_t>(open_.rend() - found) - 1;
  while (open_.size() > position) {
    open_.back().end = at;
    done_.push_back(open_.back());
    open_.pop_back();
  }
  within_ = stacked_ = free_ = at;
}

/// A slice that is known at its end. It cannot reach before what ended or began last. Several that
/// end at one moment lie one before the other, as their times add up; the one told first is last.
void slice_finder::lasted(std::int64_t end, std::uint64_t ns, slice_kind kind) {
  if (end != within_) stacked_ = end, free_ = within_;
  within_ = end;
  const auto room = static_cast<std::uint64_t>(std::max<std::int64_t>(0, stacked_ - free_));
  const std::int64_t until = stacked_;
  std::int64_t begin = until - static_cast<std::int64_t>(std::min(ns, room));
  if (!open_.empty()) begin = std::max(begin, open_.back().begin);
  if (begin >= until) return;
  stacked_ = begin;
  slice made{begin, until, kind, static_cast<std::uint8_t>(open_.size())};
  made.in_fiber = std::any_of(open_.begin(), open_.end(),
                              [](const slice& each) { return each.kind == slice_kind::fiber; });
  done_.push_back(made);
}

void slice_finder::close_all() {
  while (!open_.empty()) {
    open_.back().end = last_;
    done_.push_back(open_.back());
    open_.pop_back();
  }
}

void slice_finder::take(const trace_event& event) {
  // A damaged trace may go back in time; slices never do.
  const std::int64_t at = any_ ? std::max(event.ns, last_) : event.ns;
  if (!any_) within_ = stacked_ = free_ = at;
  any_ = true;
  last_ = at;
  const auto is = [&](std::uint32_t type) { return event.type == type; };
  if (is(known_.fiber_started) || is(known_.token_started)) {
    close(at, slice_kind::idle);
    close(at, slice_kind::fiber);
    open(at, slice_kind::fiber, &file_.name_of(event, event.values[0]));
  } else if (is(known_.fiber_ended)) {
    close(at, slice_kind::fiber);
  } else if (is(known_.thread_runs)) {
    close(at, slice_kind::thread);
    open(at, slice_kind::thread, &file_.name_of(event, event.values[0]));
  } else if (is(known_.thread_blocks) || is(known_.thread_yields) || is(known_.thread_ended)) {
    close(at, slice_kind::thread);
  } else if (is(known_.idle_began)) {
    close(at, slice_kind::fiber);
    open(at, slice_kind::idle);
  } else if (is(known_.idle_ended)) {
    close(at, slice_kind::idle);
  } else if (is(known_.sleep_began)) {
    open(at, slice_kind::sleep);
  } else if (is(known_.sleep_ended)) {
    close(at, slice_kind::sleep);
  } else if (is(known_.polled)) {
    lasted(at, event.values[0], slice_kind::poll);
  } else if (is(known_.balanced)) {
    lasted(at, event.values[0], slice_kind::balance);
  }
}

std::vector<slice> slices_of(const trace_file& file, const known_events& known,
                             std::uint32_t source) {
  std::vector<slice> found;
  slice_finder(file, known, source).visit([&](const slice& each) { found.push_back(each); });
  std::sort(found.begin(), found.end(), begins_before);
  return found;
}

// --- flows ---

namespace {

using pair_of_places = std::pair<std::uint64_t, std::uint64_t>;
using waiting_flows = std::map<pair_of_places, std::deque<flow>>;

bool lost_some(const trace_file& file, std::uint32_t type) {
  if (type == 0) return false;
  const std::uint32_t of = file.types()[type].of;
  for (const trace_source& each : file.sources())
    if (of < each.dropped.size() && each.dropped[of] != 0) return true;
  return false;
}

}  // namespace

flows find_flows(const trace_file& file, const known_events& known) {
  flows found;
  waiting_flows messages, tokens;
  std::map<std::uint64_t, flow> moves;
  const auto usable = [&](std::uint32_t type, const char* what) {
    if (!lost_some(file, type)) return true;
    found.problems.push_back(fmt::format(
        "{} are not followed from place to place, because events of their class were dropped "
        "(--trace-full wait keeps all)",
        what));
    return false;
  };
  const bool with_messages = usable(known.message_sent, "messages");
  const bool with_tokens = usable(known.token_given, "tokens");
  const bool with_moves = usable(known.move_leaves, "moves");
  const auto end = [&](flow done, const trace_event& event) {
    done.to = event.source;
    done.arrived = std::max(done.left, event.ns);
    found.all.push_back(done);
  };
  const auto arrive = [&](waiting_flows& of, pair_of_places pair, const trace_event& event) {
    const auto waiting = of.find(pair);
    if (waiting == of.end() || waiting->second.empty()) return;
    end(waiting->second.front(), event);
    waiting->second.pop_front();
  };
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    const auto is = [&](std::uint32_t type) { return event.type == type; };
    const trace_source& at = file.sources()[event.source];
    if (with_messages && is(known.message_sent)) {
      messages[{at.number, event.values[0]}].push_back({.kind = flow_kind::message,
                                                        .from = event.source,
                                                        .left = event.ns,
                                                        .bytes = event.values[2]});
    } else if (with_messages && is(known.message_taken)) {
      arrive(messages, {event.values[0], at.number}, event);
    } else if (with_tokens && is(known.token_given)) {
      tokens[{at.node, event.values[1]}].push_back({.kind = flow_kind::token,
                                                    .from = event.source,
                                                    .left = event.ns,
                                                    .name = &file.name_of(event, event.values[0])});
    } else if (with_tokens && is(known.token_arrived)) {
      arrive(tokens, {event.values[0], at.node}, event);
    } else if (with_moves && is(known.move_leaves)) {
      moves[event.values[3]] = {.kind = flow_kind::move,
                                .from = event.source,
                                .left = event.ns,
                                .bytes = event.values[2],
                                .name = &file.name_of(event, event.values[0])};
    } else if (with_moves && is(known.move_arrived)) {
      const auto leaving = moves.find(event.values[2]);
      if (leaving == moves.end()) continue;
      end(leaving->second, event);
      moves.erase(leaving);
    }
  }
  return found;
}

}  // namespace terrane
