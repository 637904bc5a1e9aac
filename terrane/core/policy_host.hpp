// SPDX-License-Identifier: Apache-2.0
// policy_host.hpp: a node's balancing policy: what it hears, and its view of the node.
//
// Invariants  The policy's functions run one at a time, on any thread that reports an occurrence.
//             The thread queues the occurrence; a thread that acquires `busy_` hands over all that
//             are queued. No thread waits for `busy_`: if it is taken, the holder will hand over
//             the occurrence, because the holder looks at the queue again after the release. Hence,
//             within a process, tokens can be taken from a node whose own threads do not enter the
//             library.
// Argument    serve() ends only when, after the release of busy_, the thread has seen the queue
//             empty, or has seen busy_ taken by a thread that will look after releasing it. Both
//             accesses are seq_cst.
// Mover       The parameter `mover` of the functions below is the processor that this thread runs,
//             perhaps of another node. It is null if the thread runs none, as the receiver of a
//             wire does. The policy sends through the mover, its time is charged to the mover, and
//             tokens of the mover's private stack may be given away.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/base/on_demand.hpp"
#include "terrane/base/random.hpp"
#include "terrane/base/ring_queue.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/core/balancer.hpp"
#include "terrane/core/event_writer.hpp"
#include "terrane/core/known_loads.hpp"
#include "terrane/core/run_profile.hpp"
#include "terrane/core/timers.hpp"
#include "terrane/core/token_exchange.hpp"

namespace terrane {

class node;
struct node_options;

class policy_host final : private node_view {
 public:
  policy_host(node& home, const node_options&, std::unique_ptr<balancer> policy,
              terrane::world& world);

  /// Called before the run: what the policy hears and does is written there, under `busy_`.
  void record_as(const event_writer& writer) {
    const event_writer before = events_;
    events_ = writer;
    events_.measure_as(before);
  }
  /// Called before start(): the node measures that, however the policy asks for it.
  void measure(const metric_choice& what) override;
  /// Called once, before the run.
  void start();
  /// From the next occurrence on those classes are traced. Any thread.
  void choose_events(event_mask classes) { chosen_.store(classes, memory_order_relaxed); }

  // --- what it hears (any thread) ---

  void idle(processor& mover, bool waits_for_data);
  void surplus(processor& mover);
  void tick_if_due(processor* mover, std::uint64_t now);
  std::uint64_t next_tick() const { return next_tick_.load(memory_order_relaxed); }
  void note_arrived(processor* mover, node_id from, const note& what, int load);
  /// Before the policy is told, the token is in the pool and a sleeping processor of this node has
  /// been woken.
  void token_arrived(processor* mover, node_id from, const terrane_token& token,
                     const load_hint& hint);

  /// A thread has come that a policy moved; a thread of this node that was to move stays.
  void thread_came(processor& mover, node_id from, terrane_slot_ref id);
  void thread_stays(processor& mover, terrane_slot_ref id);

  // --- what it asks of the processors of this node, which heed ---

  /// A hint, exact after notice().
  bool asks_processors() const {
    return threads_asked_.load(memory_order_relaxed) ||
           moves_waiting_.load(memory_order_relaxed) != 0;
  }
  void answer(processor& self);

  // --- what it has set ---

  int enough() const { return enough_.load(memory_order_relaxed); }
  int surplus_mark() const { return surplus_.load(memory_order_relaxed); }

  /// See node_view::offer_yielding.
  bool offers_yielding() const { return offers_yielding_.load(memory_order_relaxed); }
  /// Called before start(): where lines of write_log go.
  void write_log_to(std::function<void(std::string_view)> to) { log_ = std::move(to); }

  // counts
  std::uint64_t tokens_moved() const { return tokens_moved_.load(memory_order_relaxed); }
  /// From the first note that an empty node sent until a token came. Any thread.
  const duration_counts& answer_times() const { return answer_times_.get(); }
  /// Tokens that left the node by its policy, and those that came, were it robbed or sent.
  std::uint64_t tokens_out() const { return tokens_out_.load(memory_order_relaxed); }
  std::uint64_t tokens_in() const { return tokens_in_.load(memory_order_relaxed); }
  std::uint64_t notes_sent() const { return notes_sent_.load(memory_order_relaxed); }

 private:
  struct occurrence {
    enum class kind : std::uint8_t {
      idle,
      surplus,
      note,
      token,
      tick,
      threads,
      thread_came,
      thread_stays
    } what;
    node_id from;
    load_hint hint;
    note text;
    bool waits_for_data = false;
    terrane_slot_ref thread = 0;
  };
  struct move_order {
    terrane_slot_ref thread;
    node_id to;
  };
  void carry_out_moves(processor& self);
  void tell_policy(processor* mover, const occurrence& what);
  void serve(processor* mover);
  void serve_holding(processor* mover, const occurrence* first);
  void hand_over(const occurrence& what);
  bool next_occurrence(occurrence& next);

  bool records(event_class of) const { return (events_.classes() & bit_of(of)) != 0; }
  template <event_id Id, class... Value>
  void record(Value... values) {
    if (TERRANE_UNLIKELY(records(about(Id).of))) events_.put<Id>(values...);
  }
  bool is_other(node_id n) const { return n != me() && n < nodes(); }
  bool send_oldest(node_id to, node_id origin);
  bool take_from_mover(terrane_token& token);
  void post_token(node_id to, node_id origin, const terrane_token& token);

  // node_view: called by the policy, under busy_
  node_id me() const override { return number_; }
  std::uint32_t nodes() const override { return nodes_; }
  node_id random_other() override;
  int load() const override { return exchange_.queued(); }
  bool waits_for_data() const override { return waits_for_data_; }
  int known_load(node_id other) const override { return known_load_.of(other); }
  std::optional<int> look(node_id other) override;
  int give_oldest(node_id to, int how_many) override;
  bool give_newest(node_id to) override;
  bool pass_oldest(node_id to, node_id origin) override;
  int take_oldest(node_id from, int how_many) override;
  void tell(node_id to, const note& what) override;
  void set_surplus(int tokens) override;
  void set_enough(int tokens) override;
  void every(std::uint64_t nanoseconds) override;
  std::optional<double> measured(metric what) const override;
  std::optional<std::uint64_t> messages_to(node_id other) const override;
  std::uint64_t now() const override;
  void log(const decision& what) override;
  void write_log(std::string_view line) override {
    if (log_) log_(line);
  }
  void ask_threads(bool asks) override;
  void move(terrane_slot_ref thread, node_id to) override;
  void offer_yielding(bool so) override;

  node& home_;
  const node_id number_;
  const std::uint32_t nodes_;
  const bool enough_fixed_;
  token_exchange& exchange_;
  terrane::world& world_;
  atomic<int> enough_;
  atomic<int> surplus_{-1};
  atomic<std::uint64_t> period_{0}, next_tick_{timers::never};
  atomic<std::uint64_t> tokens_moved_{0}, notes_sent_{0}, tokens_out_{0}, tokens_in_{0};
  static constexpr event_mask as_it_is = ~event_mask{0};
  atomic<event_mask> chosen_{as_it_is};
  atomic<bool> idle_told_{false};  // an idle occurrence is queued; one is enough

  atomic<bool> threads_asked_{false}, offers_yielding_{true};
  std::function<void(std::string_view)> log_;

  spin_lock queue_lock_;
  ring_queue<occurrence> queue_;            // under queue_lock_
  atomic<std::uint32_t> waiting_{0};        // its size
  std::vector<ready_thread> listed_;        // under queue_lock_; for the occurrence `threads`
  std::vector<move_order> moves_;           // under queue_lock_
  atomic<std::uint32_t> moves_waiting_{0};  // their number
  spin_lock busy_;                          // held while the policy runs
  // under busy_
  std::unique_ptr<balancer> policy_;
  event_writer events_;
  random_stream random_;
  known_loads known_load_;  // of those that were heard of
  bool waits_for_data_ = false;
  std::uint64_t asked_ns_ = 0;  // 0: it waits for no answer
  on_demand<duration_counts> answer_times_;
  processor* mover_ = nullptr;  // the mover of the thread that holds busy_
};

}  // namespace terrane
