// SPDX-License-Identifier: Apache-2.0
// balancer.hpp: the interface of a balancing policy: what it is told, what it may see and do.
//
// Invariants  A policy sees a node_view and nothing else, so that it runs unchanged in every world
//             and on a fake. Its functions are called one at a time per node, on any thread of the
//             node's process, also one that runs no processor; they must not block.
// Source      [EARTH-LB §3]: transfer, selection, location and information policy.
#pragma once

#include <cstdint>
#include <optional>

#include "terrane/core/place.hpp"

namespace terrane {

/// A message between balancers: 16 bytes, whose meaning the policy defines.
struct note {
  std::uint32_t kind = 0;
  node_id about = 0;
  std::int64_t value = 0;
};

/// Carried by every token that changes nodes.
struct load_hint {
  std::int32_t load = 0;  // of the node that sent it
  node_id origin = 0;     // the node that first gave it away, see node_view::pass_oldest
};

/// A decision with its inputs, kept as an event: `what` is a literal.
struct decision {
  const char* what = "";
  std::int64_t about = 0, first = 0, second = 0;
};

class node_view {
 public:
  virtual ~node_view() = default;

  virtual node_id me() const = 0;
  virtual std::uint32_t nodes() const = 0;
  /// The neighbours in the ring of nodes.
  node_id left() const { return (me() + nodes() - 1) % nodes(); }
  node_id right() const { return (me() + 1) % nodes(); }
  /// A random other node, all equally likely. This one if it is alone.
  virtual node_id random_other() = 0;

  /// Tokens queued on this node now.
  virtual int load() const = 0;
  /// The load of that node as its last note or token said; 0 if there was none.
  virtual int known_load(node_id) const = 0;

  /// In on_idle: the activation that the idle processor began last, from this node's pool, is still
  /// alive and has asked other processors for data.
  virtual bool waits_for_data() const = 0;

  /// That node's load now, if nodes share memory; otherwise nothing: send it a note.
  virtual std::optional<int> look(node_id) = 0;

  /// Sends up to `how_many` of the oldest queued tokens; returns how many were sent.
  virtual int give_oldest(node_id to, int how_many) = 0;
  /// Sends the newest queued token that may leave; true if one was sent.
  virtual bool give_newest(node_id to) = 0;
  /// Passes the oldest token on, as one that `origin` gave away: after on_token that is the token
  /// that arrived. False if there was none.
  virtual bool pass_oldest(node_id to, node_id origin) = 0;
  /// Takes up to `how_many` of the tokens that node offers, without its help; returns how many.
  /// None if nodes share no memory.
  virtual int take_oldest(node_id from, int how_many) = 0;
  virtual void tell(node_id to, const note&) = 0;

  /// From now on on_surplus is called when more than `tokens` are queued; negative: never.
  virtual void set_surplus(int tokens) = 0;
  /// A processor with this many queued tokens runs further ones at once; enough_all: it queues all.
  virtual void set_enough(int tokens) = 0;
  static constexpr int enough_all = 1 << 30;
  /// From now on on_tick is called about every `nanoseconds`; 0: never.
  virtual void every(std::uint64_t nanoseconds) = 0;

  virtual std::uint64_t now() const = 0;
  virtual void log(const decision&) = 0;
};

class balancer {
 public:
  virtual ~balancer() = default;
  virtual void on_start(node_view&) {}
  /// A processor of this node has nothing to run; repeated at growing intervals while that is so.
  virtual void on_idle(node_view&) {}
  /// More tokens are queued than the policy set.
  virtual void on_surplus(node_view&) {}
  virtual void on_note(node_view&, node_id /*from*/, const note&) {}
  virtual void on_token(node_view&, node_id /*from*/, const load_hint&) {}
  virtual void on_tick(node_view&) {}
};

}  // namespace terrane
