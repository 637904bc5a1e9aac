// SPDX-License-Identifier: Apache-2.0
// snd.hpp: rich nodes send tokens round the ring; poor nodes take them, and nobody asks.
//
// Transfer     sender-initiated: more than `threshold` tokens queued. While that lasts, one token
//              more every `again`: what came home in vain may find a poor node by then.
// Selection    the oldest tokens, all beyond the threshold.
// Location     the right neighbour, and so on to the first idle node; a token that comes home
//              stays there.
// Information  none but the number of the token's node, which the token carries.
// Parameters   threshold: tokens a node keeps. Default 1. again: us. Default 1000. literal: 1 sends
//              one token where the default sends all beyond the threshold, as the paper words it
//              ("it sends a token around the ring"). Default 0.
// Source       [EARTH-LB §3] (Snd). The threshold is not printed. It is fitted to one cell of
//              [EARTH-LB Table 2]: 10 tokens of SPMD(1,1,0) on 10 nodes in 0.08 s leave no room
//              for a higher one.
#pragma once

#include <algorithm>

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

struct snd_options {
  int threshold = 1;
  int again_us = 1000;
  bool literal = false;  // one token at a time
};

class snd final : public balancer {
 public:
  explicit snd(const snd_options& options = {}) : options_(options) {}

  void on_start(node_view& node) override {
    if (node.nodes() == 1) return;
    node.set_surplus(options_.threshold);
    node.set_enough(options_.threshold + 2);  // with fewer it would never be rich
    node.every(1000ull * static_cast<unsigned>(options_.again_us));
  }

  void on_idle(node_view& node) override { poor_ = node.load() == 0; }

  void on_surplus(node_view& node) override {
    poor_ = false;
    home_ = std::min(home_, node.load());
    const int beyond = node.load() - std::max(options_.threshold, home_);
    send(node, options_.literal ? std::min(beyond, 1) : beyond);
  }

  void on_tick(node_view& node) override {
    if (node.load() > options_.threshold) send(node, 1);
  }

  void on_token(node_view& node, node_id, const load_hint& hint) override {
    const bool grabs = poor_ && node.load() <= 1;  // this token alone
    if (hint.origin == node.me()) ++home_;
    if (grabs || hint.origin == node.me())
      poor_ = false;
    else if (node.pass_oldest(node.right(), hint.origin))
      node.log({"snd passes a token on", hint.origin, node.load(), 0});
  }

 private:
  void send(node_view& node, int tokens) {
    const int sent = node.give_oldest(node.right(), tokens);
    if (sent > 0) node.log({"snd sends tokens round the ring", node.right(), sent, node.load()});
  }

  const snd_options options_;
  bool poor_ = false;
  int home_ = 0;  // upper bound of the queued tokens that went round in vain
};

}  // namespace terrane::balance
