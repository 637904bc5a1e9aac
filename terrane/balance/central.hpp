// SPDX-License-Identifier: Apache-2.0
// central.hpp: node 0 hears the load of all, and asks one of them at a time to move a thread.
//
// Transfer     the decision maker on node 0 finds a link or a processor over its threshold
//              (decision_maker.hpp), once a summary, and one move at a time: the next request waits
//              for the end of the last.
// Selection    on the node that is asked (candidate_selector.hpp), among its ready threads that may
//              move. If there is none, the next that becomes ready; after `pending` ticks the
//              request is dropped, and counted. A node with tokens gives those for an overloaded
//              processor, half of what it has more than the other.
// Location     the request names it.
// Information  each node tells node 0, once a sample, its mean number of ready threads and tokens,
//              and how many messages it sent to each other one; node 0 sums up when all have.
// Parameters   sample: ms. Default 1000. migration: ms between two requests, not less than sample.
//              Default sample. pending: ticks of 20 ms that a request waits for a thread.
//              Default 25. rq: hundredths of a thread that an overloaded processor's queue is over
//              the mean. Default 60. link: percent that an overloaded link's messages are over the
//              mean. Default 100. apart: 1: node 0 is the paper's master; it runs no thread, and is
//              no processor of the summary. Default 0.
// Source       [TESTBED §4.2, Figs. 39 to 41]. Tokens are ours, and the thresholds' defaults, which
//              were chosen by WaTor on `testbed`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "terrane/balance/candidate_selector.hpp"
#include "terrane/balance/central_log.hpp"
#include "terrane/balance/decision_maker.hpp"

namespace terrane::balance {

struct central_options {
  int sample_ms = 1000;
  int migration_ms = 1000;
  int pending = 25;
  overload_thresholds over;
  bool apart = false;
};

class central final : public balancer {
 public:
  explicit central(const central_options& options = {}) : options_(options) {}

  void on_start(node_view& node) override {
    first_ = options_.apart ? 1 : 0;
    if (node.nodes() < first_ + 2) return;
    const std::int64_t sample = 1'000'000ll * options_.sample_ms;
    node.measure({.what = metric::rq_length, .sample_ns = sample});
    node.measure({.what = metric::rem_comm, .period_ns = sample});
    node.measure({.what = metric::n_threads});
    node.offer_yielding(false);
    node.set_enough(16);  // with fewer there would be nothing to give
    next_report_ = node.now() + static_cast<std::uint64_t>(sample);
    node.every(std::min<std::uint64_t>(tick_ns, static_cast<std::uint64_t>(sample) / 8));
    if (node.me() == 0) heard_.resize(node.nodes(), heard(node.nodes()));
  }

  void on_tick(node_view& node) override {
    tokens_ += node.load();
    ++looks_;
    if (asked_) wait_no_longer(node);
    if (node.now() < next_report_) return;
    const std::uint64_t sample = 1'000'000ull * static_cast<unsigned>(options_.sample_ms);
    next_report_ = std::max(next_report_ + sample, node.now() + sample / 2);
    if (node.me() == 0) sum_up_if(node, true);
    if (node.me() >= first_) report(node);
    tokens_ = looks_ = 0;
  }

  void on_note(node_view& node, node_id from, const note& what) override {
    switch (static_cast<said>(what.kind & 7)) {
      case said::queue:
      case said::traffic: return hear(node, from, what);
      case said::request: return take_request(node, what);
      case said::arrived:
        return end_move(node, log_.arrives(number_, name_in(what), from, node.now()));
      case said::gave:
        return end_move(node, central_log::tokens_go(number_, what.value, what.about, node.now()));
      case said::nothing:
        ++dropped_;
        return end_move(node, central_log::nothing(number_, from, dropped_, node.now()));
    }
  }

  void on_threads(node_view& node, std::span<const ready_thread> ready) override {
    if (!asked_) return;
    const ready_thread* const chosen =
        select_candidate(ready, asked_->for_link ? std::optional(asked_->to) : std::nullopt);
    if (!chosen) return node.ask_threads();
    node.log({asked_->for_link ? "central moves a thread to quieten a link"
                               : "central moves a thread to shorten the queue",
              asked_->to, static_cast<std::int64_t>(ready.size()),
              chosen->last_peer ? static_cast<std::int64_t>(*chosen->last_peer) : -1});
    const node_id to = asked_->to;
    asked_.reset();
    node.move(chosen->here, to);
  }
  void on_thread(node_view& node, node_id, terrane_slot_ref id) override {
    tell_master(node, {kind(said::arrived), node.me(), static_cast<std::int64_t>(id)});
  }
  void on_thread_stays(node_view& node, terrane_slot_ref) override {
    tell_master(node, {kind(said::nothing), node.me(), 0});
  }

 private:
  static constexpr std::uint64_t tick_ns = 20'000'000;
  static constexpr int most_tokens = 1 << 20;
  enum class said : std::uint32_t {
    queue,    // about: how many notes on traffic; value: thousandths, and whether it has threads
    traffic,  // about: a node; value: messages to it, and to the next one
    request,  // about: where to; value: tokens at most, and whether a link is overloaded
    arrived,  // value: the thread
    gave,     // about: to whom; value: tokens
    nothing
  };
  static std::uint32_t kind(said what) { return static_cast<std::uint32_t>(what); }
  static terrane_slot_ref name_in(const note& what) {
    return static_cast<terrane_slot_ref>(what.value);
  }

  // --- each node ---

  /// All notes of a sample have its number: they may overtake one another.
  void report(node_view& node) {
    const std::uint32_t sample = ++samples_ << 3;
    std::uint32_t notes = 0;
    const auto sent_to = [&](node_id other) -> std::uint64_t {
      if (other == node.me() || other >= node.nodes()) return 0;
      return std::min<std::uint64_t>(node.messages_to(other).value_or(0), 0x7fffffff);
    };
    for (node_id i = first_; i < node.nodes(); i += 2)
      if (const std::uint64_t one = sent_to(i), next = sent_to(i + 1); (one | next) != 0) {
        tell_master(node,
                    {sample | kind(said::traffic), i, static_cast<std::int64_t>(one << 32 | next)});
        ++notes;
      }
    const double waiting = node.measured(metric::rq_length).value_or(0) +
                           static_cast<double>(tokens_) / static_cast<double>(looks_);
    const bool threads = node.measured(metric::n_threads).value_or(0) > 0;
    const auto queue = static_cast<std::int64_t>(1000 * waiting + 0.5);
    tell_master(node, {sample | kind(said::queue), notes, queue * 2 + (threads ? 1 : 0)});
  }

  void tell_master(node_view& node, const note& what) {
    if (node.me() == 0)
      on_note(node, 0, what);
    else
      node.tell(0, what);
  }

  struct request {
    node_id to;
    bool for_link;
    int tokens;
    std::uint64_t until;
  };

  void take_request(node_view& node, const note& what) {
    asked_ = {what.about, (what.value & 1) != 0, static_cast<int>(what.value >> 1),
              node.now() + static_cast<unsigned>(options_.pending) * tick_ns};
    if (!give_tokens(node)) node.ask_threads();
  }

  bool give_tokens(node_view& node) {
    if (asked_->for_link || node.load() <= 1) return false;
    const int given = node.give_oldest(asked_->to, std::min(asked_->tokens, node.load() - 1));
    if (given == 0) return false;
    node.log({"central gives tokens to shorten the queue", asked_->to, given, node.load()});
    const node_id to = std::exchange(asked_, std::nullopt)->to;
    tell_master(node, {kind(said::gave), to, given});
    return true;
  }

  void wait_no_longer(node_view& node) {
    if (give_tokens(node)) return node.ask_threads(false);
    if (node.now() < asked_->until) return;
    node.ask_threads(false);
    node.log({"central drops a request: no thread that may move became ready", asked_->to,
              options_.pending, asked_->for_link});
    asked_.reset();
    tell_master(node, {kind(said::nothing), node.me(), 0});
  }

  // --- the assessor, on node 0 ---

  /// What a node said last.
  struct heard {
    explicit heard(std::uint32_t nodes) : sent(nodes), comes(nodes) {}
    std::vector<std::uint64_t> sent, comes;  // whole; of the sample that is coming in
    std::int64_t queue = 0, queue_comes = 0;
    std::uint32_t sample = 0, notes = 0, expected = ~0u;
    bool is_new = false, ever = false;
  };

  void hear(node_view& node, node_id from, const note& what) {
    heard& one = heard_[from];
    const std::uint32_t sample = what.kind >> 3;
    if (sample < one.sample) return;
    if (sample > one.sample) {
      one.sample = sample;
      one.notes = 0;
      one.expected = ~0u;
      std::fill(one.comes.begin(), one.comes.end(), 0);
    }
    if (static_cast<said>(what.kind & 7) == said::queue) {
      one.expected = what.about;
      one.queue_comes = what.value;
    } else {
      ++one.notes;
      one.comes[what.about] = static_cast<std::uint64_t>(what.value) >> 32;
      if (what.about + 1 < one.comes.size())
        one.comes[what.about + 1] = static_cast<std::uint64_t>(what.value) & 0xffffffff;
    }
    if (one.notes != one.expected) return;
    one.sent = one.comes;
    one.queue = one.queue_comes;
    one.is_new = one.ever = true;
    sum_up_if(node, false);
  }

  /// When all have told their sample; late: or some, and those who have not are late.
  void sum_up_if(node_view& node, bool late) {
    const auto those = [&](auto&& condition) {
      return std::count_if(heard_.begin() + first_, heard_.end(), condition);
    };
    const auto all = static_cast<std::ptrdiff_t>(heard_.size() - first_);
    const auto now = those([](const heard& each) { return each.is_new; });
    const auto ever = those([](const heard& each) { return each.ever; });
    const std::uint64_t sample = 1'000'000ull * static_cast<unsigned>(options_.sample_ms);
    const bool is_late = late && node.now() - summed_up_ > sample + sample / 2;
    if (now == all || (is_late && now > 0 && ever == all)) sum_up(node);
  }

  void sum_up(node_view& node) {
    summed_up_ = node.now();
    load_summary seen(first_, heard_.size() - first_);
    for (node_id i = first_; i < heard_.size(); ++i) {
      heard_[i].is_new = false;
      seen.queues[i - first_] = heard_[i].queue / 2;
      for (node_id k = first_; k < heard_.size(); ++k)
        if (k != i) seen.links[seen.link_between(i, k)] += heard_[i].sent[k];
    }
    node.write_log(central_log::time(node.now()));
    node.write_log(central_log::links(seen));
    node.write_log(central_log::queues(seen));
    ++summaries_;
    if (!under_way_ && summaries_ * options_.sample_ms >= options_.migration_ms) decide(node, seen);
  }

  // --- the decision maker, on node 0 ---

  void decide(node_view& node, const load_summary& seen) {
    const auto has_threads = [&](node_id which) { return (heard_[which].queue & 1) != 0; };
    const auto found = find_overload(seen, options_.over, has_threads);
    if (!found) return;
    const auto [from, to, link] = *found;
    under_way_ = true;
    summaries_ = 0;
    ++number_;
    if (link) {
      node.write_log(central_log::quieten(seen, from, to, *link, number_));
      node.log({"central asks for a move: a link is overloaded (messages, all messages)", to,
                static_cast<std::int64_t>(seen.links[*link]),
                static_cast<std::int64_t>(seen.all_messages())});
    } else {
      node.write_log(central_log::shorten(from, to, number_));
      node.log({"central asks for a move: a queue is long (thousandths, of all)", to,
                seen.queues[from - first_], seen.all_queues()});
    }
    const std::int64_t more = (seen.queues[from - first_] - seen.queues[to - first_]) / 2000;
    const note asks{kind(said::request), to,
                    std::clamp<std::int64_t>(more, 1, most_tokens) * 2 + (link ? 1 : 0)};
    if (from == 0)
      take_request(node, asks);
    else
      node.tell(from, asks);
  }

  void end_move(node_view& node, const std::string& line) {
    if (!under_way_) return;
    under_way_ = false;
    node.write_log(line);
  }

  const central_options options_;
  node_id first_ = 0;  // of those that run threads
  // of each node
  std::uint64_t next_report_ = 0;
  std::uint32_t samples_ = 0;
  std::int64_t tokens_ = 0, looks_ = 0;  // in this sample
  std::optional<request> asked_;
  // of node 0
  std::vector<heard> heard_;
  central_log log_;
  bool under_way_ = false;
  std::uint64_t summed_up_ = 0;  // when
  std::int64_t summaries_ = 0;   // since the last request
  std::uint32_t number_ = 0, dropped_ = 0;
};

}  // namespace terrane::balance
