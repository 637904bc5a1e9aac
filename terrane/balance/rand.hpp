// SPDX-License-Identifier: Apache-2.0
// rand.hpp: probes a few random nodes; takes from the richest when idle, gives to the poorest when
// rich.
//
// Transfer     receiver mode: the node is idle. Sender mode: more than `threshold` tokens queued.
// Selection    the oldest token: the highest in the activation tree.
// Location     the best of `probes` nodes chosen at random.
// Information  where nodes share memory, a look at the other's load; elsewhere the answer to a
//              probe. Every note and token carries the load of its sender. A node that probes while
//              idle, or asks, is known to have nothing.
// Parameters   probes: nodes asked at a time, default nodes / 10 + 1, but at most 16: the paper's
//              machines end at 32 nodes, and with thousands of nodes the formula would flood the
//              network. threshold: tokens, default twice the probes. rest: 1 switches sender mode
//              off when no probed node was poor, until a node asks; default 0, as in the paper.
//              literal: 1 gives to the least loaded of the probed nodes, as the paper words it, if
//              that has less than the giver; 0 only to one that has nothing. Default 0.
// Source       [EARTH-LB §3.1]; `rest` is the improvement that [EARTH-LB §5.4.2] proposes.
#pragma once

#include <algorithm>

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

struct rand_options {
  int probes = 0;        // 0: nodes / 10 + 1, at most 16
  int threshold = -1;    // below 0: twice the probes
  bool rest = false;     // no sender mode while all are rich
  bool literal = false;  // gives to the least loaded, not to the empty only
};

class rand final : public balancer {
 public:
  explicit rand(const rand_options& options = {}) : options_(options) {}

  void on_start(node_view& node) override {
    if (node.nodes() == 1) return;
    if (options_.probes == 0)
      options_.probes = std::min(16, static_cast<int>(node.nodes()) / 10 + 1);
    if (options_.threshold < 0) options_.threshold = 2 * options_.probes;
    node.set_surplus(options_.threshold);
    node.set_enough(std::max(4, options_.threshold + 2));  // with fewer it would never be rich
  }

  void on_idle(node_view& node) override {
    if (node.load() > 0 || (answers_ > 0 && ++waited_ < patience)) return;
    begin_round(node);
  }
  void on_surplus(node_view& node) override {
    if (answers_ == 0 && node.load() > options_.threshold) begin_round(node);
  }

  void on_note(node_view& node, node_id from, const note& what) override {
    if (resting_ && node.known_load(from) == 0) set_resting(node, false);
    if (what.kind == probe) node.tell(from, {answer, 0, 0});  // every note carries our load
    if (what.kind == request && node.give_oldest(from, 1) > 0)
      node.log({"rand answers a request", from, node.load(), 0});
    if (what.kind == answer && answers_ > 0) {
      consider(node, from);
      if (--answers_ == 0) decide(node);
    }
  }

 private:
  enum kind : std::uint32_t { probe, answer, request };

  void begin_round(node_view& node) {
    waited_ = 0;
    answers_ = std::min(options_.probes, static_cast<int>(node.nodes()) - 1);
    richest_ = poorest_ = node.me();
    for (int i = answers_; i > 0; --i) {
      const node_id other = node.random_other();
      if (node.look(other)) {
        consider(node, other);
        --answers_;
      } else {
        node.tell(other, {probe, 0, 0});
      }
    }
    if (answers_ == 0) decide(node);
  }

  void consider(node_view& node, node_id other) {
    const int load = node.known_load(other);
    if (richest_ == node.me() || load > node.known_load(richest_)) richest_ = other;
    if (poorest_ == node.me() || load < node.known_load(poorest_)) poorest_ = other;
  }

  void decide(node_view& node) {
    const int mine = node.load(), most = node.known_load(richest_),
              least = node.known_load(poorest_);
    if (mine == 0 && most > 0) {
      node.log({"rand takes from the richest it found, or asks it", richest_, mine, most});
      if (node.take_oldest(richest_, 1) == 0) node.tell(richest_, {request, 0, 0});
    } else if (mine > options_.threshold && least <= (options_.literal ? mine - 1 : 0) &&
               node.give_oldest(poorest_, 1) > 0) {
      node.log({"rand gives to a poor node", poorest_, mine, least});
    } else if (options_.rest && mine > options_.threshold && least > 0) {
      node.log({"rand rests: all that it probed are rich", poorest_, mine, least});
      set_resting(node, true);
    }
  }

  void set_resting(node_view& node, bool resting) {
    resting_ = resting;
    node.set_surplus(resting ? -1 : options_.threshold);
  }

  rand_options options_;
  static constexpr int patience = 8;  // idle calls before slow answers are given up
  int answers_ = 0, waited_ = 0;      // outstanding; idle calls meanwhile
  bool resting_ = false;
  node_id richest_ = 0, poorest_ = 0;
};

}  // namespace terrane::balance
