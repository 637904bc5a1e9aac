// SPDX-License-Identifier: Apache-2.0
#include "dashboard/critical_path.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

#include "dashboard/causal_order.hpp"
#include "dashboard/path_steps.hpp"

namespace terrane {

namespace {

/// A moment within a step: what a cause is.
struct moment {
  std::uint32_t of = no_step;
  std::int64_t at = 0, span = 0, done = 0;
};

struct lane_state {
  std::uint32_t running = no_step, message = no_step;
  std::int64_t done = 0;             // program time of the running fiber, up to `counted`
  std::int64_t counted = 0;          // until when
  std::int64_t last = 0;             // time of the last event
  std::uint32_t previous = no_step;  // the fiber before
  std::deque<std::pair<moment, std::uint64_t>> made;  // its own tokens, and their functions
  std::deque<moment> taken, invoked;                  // what the next activation came from
  std::uint64_t slot_frame = 0, slot = 0;             // of the last signal
  std::uint64_t fired = 0;                            // the fiber of the slot that has just fired
  std::uint64_t frame = 0;                            // of the running fiber; 0: not known
};

class path_finder {
 public:
  path_finder(const trace_file& file, const known_events& known)
      : file_(file),
        known_(known),
        lanes_(file.sources().size()),
        ended_at_(lanes_.size()),
        ended_done_(lanes_.size()),
        ended_span_(lanes_.size()),
        pools_(file.run().nodes) {}

  critical_path run(std::int64_t begin, std::int64_t end) {
    for (lane_state& each : lanes_) each.last = each.counted = begin;
    visit_in_causal_order(
        file_, end, [&](const trace_event& event) { return must_wait(event); },
        [&](const trace_event& event) { take(event); });
    critical_path found;
    for (std::uint32_t source = 0; source < lanes_.size(); ++source)
      if (lanes_[source].running != no_step) end_fiber(source, std::min(end, lanes_[source].last));
    found.work_ns = work_;
    found.span_ns = span_;
    walk_back(file_, steps_, ended_done_, begin, end, found);
    return found;
  }

  bool saw_signals() const { return signals_ != 0; }

 private:
  using pair_of_places = std::pair<std::uint64_t, std::uint64_t>;

  std::uint32_t node_of(std::uint32_t source) const {
    return std::min<std::uint32_t>(file_.sources()[source].node,
                                   static_cast<std::uint32_t>(pools_.size()) - 1);
  }
  std::uint32_t node(std::uint64_t number) const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, pools_.size() - 1));
  }
  bool must_wait(const trace_event& event) const {
    if (event.type == known_.message_taken) {
      const auto sent = messages_.find({event.values[0], file_.sources()[event.source].number});
      return sent == messages_.end() || sent->second.empty();
    }
    if (event.type == known_.token_arrived) {
      const auto given = given_.find({event.values[0], node_of(event.source)});
      return given == given_.end() || given->second.empty();
    }
    return event.type == known_.token_taken && pools_[node_of(event.source)].empty();
  }

  // --- where a source stands ---

  /// What the source does at this moment, as the cause of something.
  moment now(std::uint32_t source, std::int64_t at) {
    lane_state& its = lanes_[source];
    if (its.message != no_step) return {its.message, at, steps_[its.message].span, 0};
    if (its.running == no_step) {
      const std::int64_t span = its.previous == no_step ? 0 : ended_span_[source];
      return {its.previous, at, span, 0};
    }
    count(its, at);
    return {its.running, at, steps_[its.running].span + its.done, its.done};
  }
  static void count(lane_state& its, std::int64_t at) {
    its.done += std::max<std::int64_t>(0, at - its.counted);
    its.counted = std::max(its.counted, at);
  }
  std::uint32_t add(std::uint32_t source, std::int64_t at, const moment& cause, path_part before,
                    const trace_name* name) {
    causal_step made;
    made.begin = at;
    made.cause = cause.of;
    made.caused = cause.of == no_step ? at : std::min(at, cause.at);
    made.span = cause.span;
    made.done_at_cause = cause.done;
    made.source = source;
    made.before = before;
    made.name = name;
    steps_.push_back(made);
    return static_cast<std::uint32_t>(steps_.size() - 1);
  }
  void begin_fiber(std::uint32_t source, std::int64_t at, moment cause, path_part before,
                   const trace_name* name) {
    lane_state& its = lanes_[source];
    end_fiber(source, at);
    its.message = no_step;
    if (cause.of == no_step && its.previous != no_step) {
      cause = {its.previous, std::min(at, ended_at_[source]), ended_span_[source],
               ended_done_[source]};
      before = path_part::unknown;
    }
    its.running = add(source, at, cause, before, name);
    its.done = 0;
    its.counted = at;
  }
  void end_fiber(std::uint32_t source, std::int64_t at) {
    lane_state& its = lanes_[source];
    if (its.running == no_step) return;
    count(its, at);
    work_ += its.done;
    span_ = std::max(span_, steps_[its.running].span + its.done);
    ended_at_[source] = at;
    ended_done_[source] = its.done;
    ended_span_[source] = steps_[its.running].span + its.done;
    if (its.frame != 0) frame_span_[std::exchange(its.frame, 0)] = ended_span_[source];
    its.previous = its.running;
    its.running = no_step;
  }

  // --- tokens ---

  moment take_from(std::deque<std::pair<moment, std::uint64_t>>& tokens, std::uint64_t function,
                   bool newest) {
    const auto same = [&](const auto& each) { return each.second == function; };
    moment found;
    if (newest) {
      const auto it = std::find_if(tokens.rbegin(), tokens.rend(), same);
      if (it == tokens.rend()) return found;
      found = it->first;
      tokens.erase(std::next(it).base());
    } else {
      auto it = std::find_if(tokens.begin(), tokens.end(), same);
      if (it == tokens.end()) return found;
      found = it->first;
      tokens.erase(it);
    }
    return found;
  }
  /// The token that leaves the node: the oldest of its pool, or of one of its processors.
  moment leaves(std::uint32_t of, std::uint64_t function) {
    moment found = take_from(pools_[of], function, false);
    for (std::uint32_t source = 0; found.of == no_step && source < lanes_.size(); ++source)
      if (node_of(source) == of) found = take_from(lanes_[source].made, function, false);
    return found;
  }
  void token_begins(std::uint32_t source, const trace_event& event) {
    lane_state& its = lanes_[source];
    const trace_name* const name = &file_.name_of(event, event.values[0]);
    moment cause;
    path_part before = path_part::queued;
    if (!its.taken.empty()) {
      cause = its.taken.front();
      its.taken.pop_front();
    } else if (!its.invoked.empty()) {
      cause = its.invoked.front();
      its.invoked.pop_front();
      before = path_part::ready;
    } else {
      cause = take_from(its.made, function_of(event), true);
      if (cause.of == no_step && its.previous == no_step) before = path_part::start;
    }
    begin_fiber(source, event.ns, cause, before, name);
  }
  /// A function by its name: processes number theirs each for itself.
  std::uint64_t function_of(const trace_event& event) {
    const trace_name& name = file_.name_of(event, event.values[0]);
    const auto known = numbers_.try_emplace(&name, 0);
    if (known.second)
      known.first->second = by_name_.try_emplace(name.name, by_name_.size()).first->second;
    return known.first->second;
  }

  // --- signals ---

  struct readiness {
    moment last;            // the signal that came last
    std::int64_t span = 0;  // the latest of all, without waiting
  };
  std::uint64_t fiber_key(const trace_event& event) const {
    return event.values[1] * 0x9e3779b97f4a7c15u ^ event.values[0] * 0xbf58476d1ce4e5b9u ^
           std::uint64_t{file_.sources()[event.source].process} << 48;
  }
  static std::uint64_t slot_key(const lane_state& its) {
    return its.slot_frame * 0x9e3779b97f4a7c15u ^ its.slot;
  }
  void signalled(const trace_event& event) {
    ++signals_;
    const moment cause = now(event.source, event.ns);
    lane_state& its = lanes_[event.source];
    its.slot = event.values[0];
    its.slot_frame = event.values[1];
    std::int64_t& latest = latest_[slot_key(its)];
    latest = std::max(latest, cause.span);
  }
  void made_ready(const trace_event& event, bool fired) {
    lane_state& lane = lanes_[event.source];
    const std::uint64_t key = fiber_key(event);
    if (!fired && std::exchange(lane.fired, 0) == key) return;
    readiness& its = ready_[key].emplace_back();
    its.last = now(event.source, event.ns);
    its.span = its.last.span;
    if (!fired) return;
    lane.fired = key;
    if (lane.slot_frame != event.values[1]) return;
    const auto latest = latest_.find(slot_key(lane));
    if (latest == latest_.end()) return;
    its.span = std::max(its.span, latest->second);
    latest_.erase(latest);
  }

  /// Fibers of one activation run one after another, in the order in which they did.
  moment why_ready(const trace_event& event) {
    moment cause;
    const auto ready = ready_.find(fiber_key(event));
    if (ready == ready_.end()) return cause;
    cause = ready->second.front().last;
    cause.span = std::max(cause.span, ready->second.front().span);
    ready->second.pop_front();
    if (ready->second.empty()) ready_.erase(ready);
    if (const auto before = frame_span_.find(event.values[1]); before != frame_span_.end())
      cause.span = std::max(cause.span, before->second);
    return cause;
  }

  void take(const trace_event& event) {
    const std::uint32_t source = event.source;
    lane_state& its = lanes_[source];
    const auto is = [&](std::uint32_t type) { return event.type == type; };
    its.last = std::max(its.last, event.ns);
    if (is(known_.token_started)) {
      token_begins(source, event);
    } else if (is(known_.fiber_started)) {
      begin_fiber(source, event.ns, why_ready(event), path_part::ready,
                  &file_.name_of(event, event.values[0]));
      its.frame = event.values[1];
    } else if (is(known_.fiber_ended)) {
      its.message = no_step;
      end_fiber(source, event.ns);
    } else if (is(known_.polled) || is(known_.balanced)) {
      its.message = no_step;
      if (its.running != no_step) spent_elsewhere(its, event.ns, event.values[0]);
    } else if (is(known_.signalled)) {
      signalled(event);
    } else if (is(known_.slot_fired)) {
      made_ready(event, true);
    } else if (is(known_.fiber_ready)) {
      made_ready(event, false);
    } else if (is(known_.token_invoked)) {
      its.invoked.push_back(now(source, event.ns));
    } else if (is(known_.token_queued)) {
      its.made.emplace_back(now(source, event.ns), function_of(event));
    } else if (is(known_.token_offered)) {
      auto& pool = pools_[node_of(source)];
      for (std::uint64_t i = 0; i < event.values[0] && !its.made.empty(); ++i) {
        pool.push_back(its.made.front());
        its.made.pop_front();
      }
    } else if (is(known_.token_taken)) {
      moment found = take_from(pools_[node_of(source)], function_of(event), false);
      its.taken.push_back(found);
    } else if (is(known_.token_given)) {
      const std::uint64_t function = function_of(event);
      const moment made = leaves(node_of(source), function);
      const std::uint32_t left =
          add(source, event.ns, made, path_part::queued, &file_.name_of(event, event.values[0]));
      given_[{node_of(source), event.values[1]}].push_back(
          {{left, event.ns, made.span, 0}, function});
    } else if (is(known_.token_arrived)) {
      auto& given = given_[{event.values[0], node_of(source)}];
      if (given.empty()) return;
      const auto [gone, function] = given.front();
      given.pop_front();
      const std::uint32_t came =
          add(source, event.ns, gone, path_part::token_flies, steps_[gone.of].name);
      pools_[node_of(source)].push_front({{came, event.ns, gone.span, 0}, function});
    } else if (is(known_.tokens_robbed)) {
      auto &from = pools_[node(event.values[1])], &to = pools_[node_of(source)];
      for (std::uint64_t i = 0; i < event.values[0] && !from.empty(); ++i) {
        to.push_front(from.front());
        from.pop_front();
      }
    } else if (is(known_.message_sent)) {
      messages_[{file_.sources()[source].number, event.values[0]}].push_back(now(source, event.ns));
    } else if (is(known_.message_taken)) {
      take_message(event);
    }
  }
  void take_message(const trace_event& event) {
    lane_state& its = lanes_[event.source];
    auto& sent = messages_[{event.values[0], file_.sources()[event.source].number}];
    if (sent.empty()) return;
    const moment gone = sent.front();
    sent.pop_front();
    its.message = add(event.source, event.ns, gone, path_part::message_flies, nullptr);
  }
  /// What a fiber spent on messages or the balancer, up to now, is none of the program's time.
  static void spent_elsewhere(lane_state& its, std::int64_t at, std::uint64_t ns) {
    count(its, at);
    its.done -= static_cast<std::int64_t>(
        std::min(ns, static_cast<std::uint64_t>(std::max<std::int64_t>(0, its.done))));
  }

  const trace_file& file_;
  const known_events& known_;
  std::vector<causal_step> steps_;
  std::vector<lane_state> lanes_;
  std::vector<std::int64_t> ended_at_, ended_done_, ended_span_;     // the last fiber, by source
  std::vector<std::deque<std::pair<moment, std::uint64_t>>> pools_;  // by node, oldest first
  std::map<pair_of_places, std::deque<moment>> messages_;
  std::map<pair_of_places, std::deque<std::pair<moment, std::uint64_t>>> given_;
  std::unordered_map<std::uint64_t, std::deque<readiness>> ready_;  // by fiber and frame
  std::unordered_map<std::uint64_t, std::int64_t> frame_span_;      // at the end of its last fiber
  std::unordered_map<std::uint64_t, std::int64_t> latest_;  // by slot: the latest of its signals
  std::unordered_map<const trace_name*, std::uint64_t> numbers_;
  std::map<std::string, std::uint64_t> by_name_;
  std::int64_t work_ = 0, span_ = 0;
  std::uint64_t signals_ = 0;
};

}  // namespace

critical_path find_critical_path(const trace_file& file, const known_events& known,
                                 std::int64_t begin, std::int64_t end) {
  critical_path none_found;
  if (file.dropped() != 0) {
    none_found.why_not =
        "events were dropped, so the chain of causes is broken: record with --trace-full wait";
    return none_found;
  }
  path_finder finder(file, known);
  critical_path found = finder.run(begin, end);
  if (finder.saw_signals()) return found;
  none_found.why_not =
      "no signals are in the trace: record with the classes token, fiber, signal, ready and "
      "message";
  return none_found;
}

}  // namespace terrane
