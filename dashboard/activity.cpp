// SPDX-License-Identifier: Apache-2.0
#include "dashboard/activity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace terrane {

known_events::known_events(const trace_file& file) {
#define TERRANE_KNOWN(name) name = file.type_of(#name)
  TERRANE_KNOWN(token_queued);
  TERRANE_KNOWN(token_inlined);
  TERRANE_KNOWN(token_offered);
  TERRANE_KNOWN(token_taken);
  TERRANE_KNOWN(token_given);
  TERRANE_KNOWN(token_arrived);
  TERRANE_KNOWN(tokens_robbed);
  TERRANE_KNOWN(token_started);
  TERRANE_KNOWN(fiber_started);
  TERRANE_KNOWN(fiber_ended);
  TERRANE_KNOWN(message_sent);
  TERRANE_KNOWN(message_taken);
  TERRANE_KNOWN(fiber_ready);
  TERRANE_KNOWN(fiber_unready);
  TERRANE_KNOWN(thread_made);
  TERRANE_KNOWN(thread_runs);
  TERRANE_KNOWN(thread_blocks);
  TERRANE_KNOWN(thread_yields);
  TERRANE_KNOWN(thread_ended);
  TERRANE_KNOWN(move_asked);
  TERRANE_KNOWN(move_leaves);
  TERRANE_KNOWN(move_arrived);
  TERRANE_KNOWN(move_refused);
  TERRANE_KNOWN(balancer_idle);
  TERRANE_KNOWN(balancer_surplus);
  TERRANE_KNOWN(note_sent);
  TERRANE_KNOWN(note_arrived);
  TERRANE_KNOWN(decision);
  TERRANE_KNOWN(idle_began);
  TERRANE_KNOWN(idle_ended);
  TERRANE_KNOWN(sleep_began);
  TERRANE_KNOWN(sleep_ended);
  TERRANE_KNOWN(polled);
  TERRANE_KNOWN(balanced);
  TERRANE_KNOWN(memory_used);
  TERRANE_KNOWN(user_event);
#undef TERRANE_KNOWN
}

// --- slices ---

void slice_finder::open(std::int64_t at, slice_kind kind, const trace_name* name) {
  constexpr std::size_t depth_max = 250;  // damaged traces alone get there
  if (open_.size() >= depth_max) return;
  open_.push_back({at, at, kind, static_cast<std::uint8_t>(open_.size()), name});
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
  within_ = at;
}

/// A slice that is known at its end. It cannot reach before what ended or began last.
void slice_finder::lasted(std::int64_t end, std::uint64_t ns, slice_kind kind) {
  std::int64_t begin = end - static_cast<std::int64_t>(std::min<std::uint64_t>(
                                 ns, static_cast<std::uint64_t>(std::max<std::int64_t>(0, end))));
  begin = std::max(begin, within_);
  if (!open_.empty()) begin = std::max(begin, open_.back().begin);
  if (begin >= end) return;
  slice made{begin, end, kind, static_cast<std::uint8_t>(open_.size())};
  made.in_fiber = std::any_of(open_.begin(), open_.end(),
                              [](const slice& each) { return each.kind == slice_kind::fiber; });
  done_.push_back(made);
  within_ = end;
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
  if (!any_) first_ = within_ = at;
  any_ = true;
  last_ = at;
  const auto is = [&](std::uint32_t type) { return type != 0 && event.type == type; };
  if (is(known_.fiber_started) || is(known_.token_started)) {
    close(at, slice_kind::idle);
    close(at, slice_kind::fiber);
    open(at, slice_kind::fiber, &file_.name_of(event, event.values[0]));
  } else if (is(known_.fiber_ended)) {
    for (slice& each : open_)
      if (each.kind == slice_kind::fiber) {
        each.fibers = event.values[0];
        each.inlined = event.values[1];
      }
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
  const auto arrive = [&](waiting_flows& of, pair_of_places pair, const trace_event& event) {
    const auto waiting = of.find(pair);
    if (waiting == of.end() || waiting->second.empty()) return;
    flow done = waiting->second.front();
    waiting->second.pop_front();
    done.to = event.source;
    done.arrived = std::max(done.left, event.ns);
    found.all.push_back(done);
  };
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);) {
    const auto is = [&](std::uint32_t type) { return type != 0 && event.type == type; };
    const trace_source& at = file.sources()[event.source];
    if (with_messages && is(known.message_sent)) {
      messages[{at.number, event.values[0]}].push_back({flow_kind::message, event.source, 0,
                                                        event.ns, 0, event.values[2], nullptr,
                                                        event.values[1]});
    } else if (with_messages && is(known.message_taken)) {
      arrive(messages, {event.values[0], at.number}, event);
    } else if (with_tokens && is(known.token_given)) {
      tokens[{at.node, event.values[1]}].push_back({flow_kind::token, event.source, 0, event.ns, 0,
                                                    0, &file.name_of(event, event.values[0]), 0});
    } else if (with_tokens && is(known.token_arrived)) {
      arrive(tokens, {event.values[0], at.node}, event);
    } else if (with_moves && is(known.move_leaves)) {
      moves[event.values[3]] = {flow_kind::move,
                                event.source,
                                0,
                                event.ns,
                                0,
                                event.values[2],
                                &file.name_of(event, event.values[0]),
                                0};
    } else if (with_moves && is(known.move_arrived)) {
      const auto leaving = moves.find(event.values[2]);
      if (leaving == moves.end()) continue;
      flow done = leaving->second;
      done.to = event.source;
      done.arrived = std::max(done.left, event.ns);
      found.all.push_back(done);
      moves.erase(leaving);
    }
  }
  return found;
}

}  // namespace terrane
