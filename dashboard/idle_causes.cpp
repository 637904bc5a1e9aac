// SPDX-License-Identifier: Apache-2.0
#include "dashboard/idle_causes.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace terrane {

namespace {

constexpr std::size_t longest_kept = 200;

struct node_state {
  std::int64_t since = 0;    // of what follows
  std::int64_t stretch = 0;  // since when the cause is the same
  int idle = 0;              // processors
  std::int64_t tokens = 0;   // held by the node
  std::int64_t coming = 0;   // tokens on their way to it
  std::int64_t data = 0;     // messages on their way to it, and questions of its own
  std::int64_t ready = 0;    // fibers
  bool asked = false;        // a note was sent, and nothing has come since
  bool refused = false;      // a note came from the node that was asked last
  std::uint32_t asks = 0;    // that node
  idle_cause cause = idle_cause::no_work;
};

/// What a processor did until then is accounted for, but for so much of what came just before:
/// several parts of its time may be told at one moment.
struct accounted {
  std::int64_t until = 0, left = 0;
};

class sweep {
 public:
  sweep(const trace_file& file, const known_events& known)
      : file_(file), known_(known), nodes_(file.run().nodes) {
    found_.nodes.resize(nodes_.size());
    idle_.resize(file.sources().size());
    within_.resize(file.sources().size());
    invoked_.resize(file.sources().size());
  }

  idle_causes run(std::int64_t end) {
    trace_file::in_time events(file_);
    for (trace_event event; events.next(event) && event.ns <= end;) take(event);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) settle(n, end, true);
    std::sort(found_.longest.begin(), found_.longest.end(), is_longer);
    if (found_.longest.size() > longest_kept) found_.longest.resize(longest_kept);
    return std::move(found_);
  }

 private:
  static bool is_longer(const idle_stretch& a, const idle_stretch& b) {
    return a.end - a.begin > b.end - b.begin;
  }

  /// Gives the time since the last change of the node its cause.
  void settle(std::uint32_t n, std::int64_t now, bool stretch_ends) {
    node_state& its = nodes_[n];
    if (its.idle > 0 && now > its.since) {
      const double seconds = 1e-9 * static_cast<double>(now - its.since) * its.idle;
      found_.all[static_cast<std::size_t>(its.cause)] += seconds;
      found_.nodes[n][static_cast<std::size_t>(its.cause)] += seconds;
    }
    if (stretch_ends && its.idle > 0 && now > its.stretch) {
      found_.longest.push_back({its.stretch, now, n, its.cause});
      if (found_.longest.size() > 8 * longest_kept) {
        std::nth_element(found_.longest.begin(), found_.longest.begin() + longest_kept,
                         found_.longest.end(), is_longer);
        found_.longest.resize(longest_kept);
      }
    }
    its.since = now;
    if (stretch_ends) its.stretch = now;
  }

  idle_cause cause_of(const node_state& its) const {
    if (its.tokens > 0) return idle_cause::not_woken;
    if (its.coming > 0) return idle_cause::token_comes;
    if (its.data > 0) return idle_cause::data_comes;
    if (holding_ == 0) return with_ready_ > 0 ? idle_cause::pinned : idle_cause::no_work;
    if (its.refused) return idle_cause::refused;
    return its.asked ? idle_cause::asked : idle_cause::not_asked;
  }

  /// Call before the state of the node changes, and judge() after it.
  void judge(std::uint32_t n, std::int64_t now) {
    const idle_cause next = cause_of(nodes_[n]);
    if (next == nodes_[n].cause) return;
    settle(n, now, true);
    nodes_[n].cause = next;
  }

  /// What an idle processor spent on messages or the balancer is no idleness. As in slice_finder.
  void take_out(const trace_event& event) {
    if (!idle_[event.source]) return;
    const std::uint32_t n = file_.sources()[event.source].node;
    accounted& its = within_[event.source];
    if (event.ns != its.until) its = {event.ns, event.ns - its.until};
    const auto took = static_cast<std::int64_t>(std::min<std::uint64_t>(
        event.values[0], static_cast<std::uint64_t>(std::max<std::int64_t>(0, its.left))));
    its.left -= took;
    settle(n, event.ns, false);
    const auto cause = static_cast<std::size_t>(nodes_[n].cause);
    found_.all[cause] -= 1e-9 * static_cast<double>(took);
    found_.nodes[n][cause] -= 1e-9 * static_cast<double>(took);
  }

  void add_tokens(std::uint32_t n, std::int64_t more, std::int64_t now) {
    node_state& its = nodes_[n];
    settle(n, now, false);
    const bool held = its.tokens > 0;
    its.tokens += more;
    const bool holds = its.tokens > 0;
    const bool any = holding_ > 0;
    if (held != holds) holding_ += holds ? 1 : -1;
    judge(n, now);
    if (any != (holding_ > 0))
      for (std::uint32_t other = 0; other < nodes_.size(); ++other) judge(other, now);
  }

  void add_ready(std::uint32_t n, std::int64_t more, std::int64_t now) {
    constexpr std::size_t nodes_most = 64;
    std::int64_t& ready = nodes_[n].ready;
    const bool before = ready > 0, any = with_ready_ > 0;
    ready = std::max<std::int64_t>(0, ready + more);
    if (before != (ready > 0)) with_ready_ += ready > 0 ? 1 : -1;
    if (any == (with_ready_ > 0) || holding_ > 0 || nodes_.size() > nodes_most) return;
    for (std::uint32_t other = 0; other < nodes_.size(); ++other) {
      settle(other, now, false);
      judge(other, now);
    }
  }

  /// What a message means to nodes that wait. Control serves balancers and the end of the run.
  enum class role : std::uint8_t { unknown, control, question, data };
  role role_of(const trace_event& event) {
    const auto kind = static_cast<std::size_t>(std::min<std::uint64_t>(event.values[1], 255));
    if (roles_[kind] == role::unknown) {
      const std::string name = file_.text_of(event, 1);
      const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), name) != names.end();
      };
      roles_[kind] = is_one_of({"probe", "stop", "note", "token"})       ? role::control
                     : is_one_of({"get", "fetch", "gather", "allocate"}) ? role::question
                                                                         : role::data;
    }
    return roles_[kind];
  }

  /// A node's data are on their way from its question on: the question brings the node that it goes
  /// to nothing, and is answered where it is taken, by a message that brings the data.
  void take_message(const trace_event& event, std::uint32_t n, std::uint32_t other) {
    const role its = other == n ? role::control : role_of(event);
    if (its == role::control) return;
    const bool sent = event.type == known_.message_sent;
    const std::uint32_t who = sent == (its == role::question) ? n : other;
    change(who, event.ns, [&](node_state& waits) {
      waits.data = std::max<std::int64_t>(0, waits.data + (sent ? 1 : -1));
    });
  }

  template <class Change>
  void change(std::uint32_t n, std::int64_t now, Change&& how) {
    settle(n, now, false);
    how(nodes_[n]);
    judge(n, now);
  }

  void take(const trace_event& event) {
    const trace_source& source = file_.sources()[event.source];
    const std::uint32_t n = source.node;
    if (n >= nodes_.size()) return;
    const std::int64_t now = event.ns;
    const auto is = [&](std::uint32_t type) { return event.type == type; };
    const auto other = [&](std::uint64_t value) {
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, nodes_.size() - 1));
    };
    const auto node_of = [&](std::uint64_t processor) {
      return other(processor / file_.run().processors);
    };
    if (is(known_.idle_began) || is(known_.idle_ended)) {
      const bool begins = is(known_.idle_began);
      if (idle_[event.source] == begins) return;
      idle_[event.source] = begins;
      within_[event.source] = {now, 0};
      settle(n, now, true);
      nodes_[n].idle += begins ? 1 : -1;
      // A processor that becomes idle has found nothing: if all are, the node holds no token.
      if (nodes_[n].idle == static_cast<int>(file_.run().processors))
        add_tokens(n, -nodes_[n].tokens, now);
      nodes_[n].cause = cause_of(nodes_[n]);
    } else if (is(known_.polled) || is(known_.balanced)) {
      take_out(event);
    } else if (is(known_.token_queued)) {
      add_tokens(n, 1, now);
    } else if (is(known_.token_invoked)) {
      ++invoked_[event.source];
      add_ready(n, 1, now);
    } else if (is(known_.token_started)) {
      const bool was_invoked = invoked_[event.source] != 0;
      invoked_[event.source] -= was_invoked;
      if (was_invoked)
        add_ready(n, -1, now);
      else
        add_tokens(n, -1, now);
    } else if (is(known_.token_given)) {
      add_tokens(n, -1, now);
      change(other(event.values[1]), now, [](node_state& its) { ++its.coming; });
    } else if (is(known_.token_arrived)) {
      change(n, now, [](node_state& its) {
        its.coming = std::max<std::int64_t>(0, its.coming - 1);
        its.asked = its.refused = false;
      });
      add_tokens(n, 1, now);
    } else if (is(known_.tokens_robbed)) {
      const auto count =
          static_cast<std::int64_t>(std::min<std::uint64_t>(event.values[0], 1 << 20));
      add_tokens(other(event.values[1]), -count, now);
      add_tokens(n, count, now);
    } else if (is(known_.note_sent)) {
      change(n, now, [&](node_state& its) {
        its.asked = true;
        its.refused = false;
        its.asks = other(event.values[0]);
      });
    } else if (is(known_.note_arrived)) {
      change(n, now, [&](node_state& its) {
        if (!its.asked || its.asks != other(event.values[0])) return;
        its.asked = false;
        its.refused = true;
      });
    } else if (is(known_.fiber_ready) || is(known_.fiber_unready)) {
      add_ready(n, is(known_.fiber_ready) ? 1 : -1, now);
    } else if (is(known_.message_sent) || is(known_.message_taken)) {
      take_message(event, n, node_of(event.values[0]));
    }
  }

  const trace_file& file_;
  const known_events& known_;
  std::vector<node_state> nodes_;
  std::vector<bool> idle_;              // by source
  std::vector<std::uint64_t> invoked_;  // by source: activations that are to begin there
  std::vector<accounted> within_;       // by source
  std::int64_t holding_ = 0;            // nodes that hold tokens
  std::int64_t with_ready_ = 0;         // nodes that have ready fibers
  std::array<role, 256> roles_{};       // by kind of message
  idle_causes found_;
};

}  // namespace

idle_causes find_idle_causes(const trace_file& file, const known_events& known, std::int64_t end) {
  return sweep(file, known).run(end);
}

}  // namespace terrane
