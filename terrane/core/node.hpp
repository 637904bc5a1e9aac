// SPDX-License-Identifier: Apache-2.0
// node.hpp: one address space of the machine: its processors, the pool they share, and the
// balancer.
//
// Invariants  The balancer's functions run one at a time, on whichever thread brings the news: an
//             occurrence is queued, and whoever gets `busy_` hands all of them over. Nobody waits
//             for it: a thread that finds it taken leaves its occurrence to the holder, who looks
//             again after letting go. So within a process a node is robbed without entering the
//             library itself.
// Argument    serve() ends only when, after the release of busy_, the queue was seen empty or busy_
//             was seen taken by somebody who will look after releasing it. Both under seq_cst.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/base/random.hpp"
#include "terrane/base/ring_queue.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/core/balancer.hpp"
#include "terrane/core/event.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/token_pool.hpp"

namespace terrane {

struct node_options {
  node_id number = 0;
  std::uint32_t nodes = 1;
  std::uint32_t processors = 1;  // of this node
  std::uint64_t seed = 1;
  int enough = 1;             // tokens a processor keeps queued before it runs children at once
  bool enough_fixed = false;  // the user's choice: the balancer's is ignored
};

class node final : private node_view {
 public:
  node(const node_options&, std::unique_ptr<balancer> policy, terrane::world& world,
       event_sink& events);

  ~node() override;

  /// Once, before the run. The processors are this node's, in order.
  void attach(std::span<processor* const> processors);
  void start();

  // --- the balancer hears (any thread) ---
  // mover: the processor this thread runs, perhaps of another node; null if it runs none, as the
  // receiver of a wire does. The policy sends with its rings, and may give of its private stack.

  /// Tells the siblings, too, if the pool became hungry and nobody said so.
  void idle(processor& mover, bool waits_for_data);
  void surplus(processor& mover);
  void tick_if_due(processor* mover, std::uint64_t now);
  std::uint64_t next_tick() const { return next_tick_.load(memory_order_relaxed); }
  void note_arrived(processor* mover, node_id from, const note& what, int load);
  /// The token is in the pool when this returns, and a sleeping processor of ours is awake.
  void token_arrived(processor* mover, node_id from, const terrane_token& token,
                     const load_hint& hint);

  // --- the processors' side ---
  token_pool& pool() { return pool_; }
  /// Takes the pool's oldest; tells the siblings when that left it hungry.
  bool take_from_pool(processor& taker, terrane_token& token);
  /// The same for the oldest that another node can run, by any thread, for that node's pool.
  bool take_to_leave(terrane_token& token);
  /// The newest that a processor of ours finds `wanted`: its own, which nobody took. The pool was
  /// fuller than anybody needed: if it is hungry now, the next who is idle tells the siblings.
  template <class Wanted>
  bool take_back(processor& taker, terrane_token& token, Wanted&& wanted) {
    return pool_.take_newest(token, wanted) && taken_back(taker);
  }
  /// The same for one that share() put at that place.
  template <class Wanted>
  bool take_back_from(std::uint32_t place, processor& taker, terrane_token& token,
                      Wanted&& wanted) {
    return pool_.take_near(place, token, wanted) && taken_back(taker);
  }
  /// The oldest token of the giver goes to the pool, if it is wanted there.
  bool offer(processor& giver);
  /// The same for a token that lies nowhere yet.
  bool offer(processor& giver, const terrane_token& token);
  /// The same, wanted or not: says where; nothing only if there is nobody to share it with.
  std::optional<std::uint32_t> share(processor& giver, const terrane_token& token);
  int enough() const { return enough_.load(memory_order_relaxed); }
  int surplus_mark() const { return surplus_.load(memory_order_relaxed); }

  node_id number() const { return options_.number; }
  /// Tokens queued here now, in the pool and in the private stacks; a hint.
  int queued() const;

  // counts
  std::uint64_t tokens_moved() const { return tokens_moved_.load(memory_order_relaxed); }
  std::uint64_t notes_sent() const { return notes_sent_.load(memory_order_relaxed); }

 private:
  struct occurrence {
    enum class kind : std::uint8_t { idle, surplus, note, token, tick } what;
    node_id from;
    load_hint hint;
    note text;
    bool waits_for_data = false;
  };
  void tell_policy(processor* mover, const occurrence& what);
  void serve(processor* mover);
  bool send_oldest(node_id to, node_id origin);
  bool take_from_mover(terrane_token& token);
  void post_token(node_id to, node_id origin, const terrane_token& token);
  void tell_if_hungry();
  bool pool_got(processor& giver);
  bool taken_back(processor& taker);
  void wake_sleeper();
  void notice_all();

  // node_view: called by the policy, under busy_
  node_id me() const override { return options_.number; }
  std::uint32_t nodes() const override { return options_.nodes; }
  node_id random_other() override;
  int load() const override { return queued(); }
  bool waits_for_data() const override { return waits_for_data_; }
  int known_load(node_id other) const override { return known_load_[other]; }
  std::optional<int> look(node_id other) override;
  int give_oldest(node_id to, int how_many) override;
  bool give_newest(node_id to) override;
  bool pass_oldest(node_id to, node_id origin) override;
  int take_oldest(node_id from, int how_many) override;
  void tell(node_id to, const note& what) override;
  void set_surplus(int tokens) override;
  void set_enough(int tokens) override;
  void every(std::uint64_t nanoseconds) override;
  std::uint64_t now() const override { return world_.now(); }
  void log(const decision& what) override;

  const node_options options_;
  terrane::world& world_;
  event_sink& events_;
  std::span<processor* const> processors_;
  token_pool pool_;
  atomic<int> enough_;
  atomic<int> surplus_{-1};
  atomic<std::uint64_t> period_{0}, next_tick_{timers::never};
  atomic<std::uint64_t> tokens_moved_{0}, notes_sent_{0};
  atomic<bool> hungry_untold_{false};  // siblings may believe that the pool has enough
  atomic<bool> idle_told_{false};      // an idle occurrence is queued: one is enough

  spin_lock queue_lock_;
  ring_queue<occurrence> queue_;      // under queue_lock_
  atomic<std::uint32_t> waiting_{0};  // its size
  spin_lock busy_;                    // held while the policy runs
  // under busy_
  std::unique_ptr<balancer> policy_;
  random_stream random_;
  std::vector<int> known_load_;
  bool waits_for_data_ = false;
  processor* mover_ = nullptr;  // of whoever holds it
};

}  // namespace terrane
