// SPDX-License-Identifier: Apache-2.0
// balancer.hpp: the interface of a balancing policy: what it is told, what it may see and do.
//
// Invariants  A policy sees a node_view and nothing else. Hence it runs unchanged in every world
//             and in tests with a fake. Its functions are called one at a time per node, on any
//             thread of the node's process, even one that runs no processor. They must not block.
// Source      [EARTH-LB §3]: transfer, selection, location and information policy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "terrane/base/metric.hpp"
#include "terrane/core/place.hpp"

namespace terrane {

/// A message between balancers: 16 bytes, whose meaning the policy defines.
struct note {
  std::uint32_t kind = 0;
  node_id about = 0;
  std::int64_t value = 0;
};

/// Travels with every token that changes nodes.
struct load_hint {
  std::int32_t load = 0;  // the load of the node that sent the token
  node_id origin = 0;     // the node that gave it away first, see node_view::pass_oldest
};

/// A policy's decision and its inputs, recorded as an event. `what` must be a string literal.
struct decision {
  const char* what = "";
  std::int64_t about = 0, first = 0, second = 0;
};

/// A thread that is ready to run on a node.
struct ready_thread {
  terrane_slot_ref here = 0;  // its name on this node, see node_view::move
  terrane_slot_ref id = 0;    // its name anywhere (thread_id)
  bool may_move = false;
  std::optional<node_id> last_peer;  // where the other end of its last item was; nothing: here
  std::vector<std::pair<node_id, std::uint64_t>> items;  // over channels to each other node, so far
};

class node_view {
 public:
  virtual ~node_view() = default;

  virtual node_id me() const = 0;
  virtual std::uint32_t nodes() const = 0;
  /// The neighbours in the ring of nodes.
  node_id left() const { return (me() + nodes() - 1) % nodes(); }
  node_id right() const { return (me() + 1) % nodes(); }
  /// A random other node; all are equally likely. This node if there is no other.
  virtual node_id random_other() = 0;

  /// Tokens queued on this node now.
  virtual int load() const = 0;
  /// The load that the node's last note or token reported; 0 if none has arrived from it.
  virtual int known_load(node_id) const = 0;

  /// For use in on_idle. True if the activation that the idle processor last began from this node's
  /// pool is still alive and has asked other processors for data.
  virtual bool waits_for_data() const = 0;

  /// The node's load now, if nodes share memory. Otherwise nothing: ask the node with a note.
  virtual std::optional<int> look(node_id) = 0;

  /// Sends up to `how_many` of the oldest queued tokens; returns how many were sent.
  virtual int give_oldest(node_id to, int how_many) = 0;
  /// Sends the newest queued token that may leave the node; true if one was sent.
  virtual bool give_newest(node_id to) = 0;
  /// Passes the oldest token on, with `origin` as the node that first gave it away. In on_token the
  /// oldest token is the one that has just arrived. False if there was none.
  virtual bool pass_oldest(node_id to, node_id origin) = 0;
  /// Takes up to `how_many` of the tokens that the node offers, without its help. Returns how many
  /// were taken: 0 if nodes share no memory.
  virtual int take_oldest(node_id from, int how_many) = 0;
  virtual void tell(node_id to, const note&) = 0;

  /// Asks for the threads that are ready here: on_threads is called once, as soon as one of them
  /// may move. If none may, that is when the next one becomes ready, on a node that measures
  /// rq-length. false: the policy asks no longer.
  virtual void ask_threads(bool /*asks*/ = true) {}
  /// That thread of this node, by its name here, is to go on there: at once if it has yielded, else
  /// at its next safe point, which is the end of an operation on a channel that made it wait, a
  /// checkpoint, or a yield. The other policy hears on_thread; this one on_thread_stays if it
  /// cannot be.
  virtual void move(terrane_slot_ref /*thread*/, node_id /*to*/) {}
  /// On nodes of one processor: whether a thread that yields becomes a token while the pool is
  /// hungry, as it does unless told. Else it stays among the ready threads.
  virtual void offer_yielding(bool) {}

  /// From now on on_surplus is called when more than `tokens` are queued. Negative: never.
  virtual void set_surplus(int tokens) = 0;
  /// A processor with this many queued tokens runs further children at once, as calls.
  /// enough_all: it queues every token.
  virtual void set_enough(int tokens) = 0;
  static constexpr int enough_all = 1 << 30;
  /// From now on on_tick is called about every `nanoseconds`; 0: never.
  virtual void every(std::uint64_t nanoseconds) = 0;

  virtual std::uint64_t now() const = 0;
  virtual void log(const decision&) = 0;
  /// A line for the file of --balance-log, of node 0 alone.
  virtual void write_log(std::string_view) {}

  /// For use in on_start, or not at all: the node measures that metric during the run. What the
  /// user asked for with --metrics stays as the user said. A node that measures nothing pays
  /// nothing.
  virtual void measure(const metric_choice&) {}
  /// This node's n-threads or rq-length, now or as the mean of the last whole sample; or its
  /// cpu-time, from 0 to 1, in the last whole periods of the window. Nothing: it is not measured,
  /// or no period is over. A thread that may move counts where it has begun; before, it is a token.
  virtual std::optional<double> measured(metric) const { return {}; }
  /// Messages and tokens that this node sent to the other in the last whole period of rem-comm. The
  /// metric is this and what the other one says of this node, added. Nothing: as above.
  virtual std::optional<std::uint64_t> messages_to(node_id) const { return {}; }
};

class balancer {
 public:
  virtual ~balancer() = default;
  virtual void on_start(node_view&) {}
  /// A processor of this node has nothing to run. Repeated at growing intervals while it is idle.
  virtual void on_idle(node_view&) {}
  /// More tokens are queued than the limit that the policy set with set_surplus.
  virtual void on_surplus(node_view&) {}
  virtual void on_note(node_view&, node_id /*from*/, const note&) {}
  virtual void on_token(node_view&, node_id /*from*/, const load_hint&) {}
  virtual void on_tick(node_view&) {}
  /// Those that are ready on a processor of this node, in the order of its table of threads.
  virtual void on_threads(node_view&, std::span<const ready_thread>) {}
  /// A thread has come because a policy said move. id: its name anywhere.
  virtual void on_thread(node_view&, node_id /*from*/, terrane_slot_ref /*id*/) {}
  /// A thread of this node cannot go, or has ended before it could.
  virtual void on_thread_stays(node_view&, terrane_slot_ref /*id*/) {}
};

}  // namespace terrane
