// SPDX-License-Identifier: Apache-2.0
// his.hpp: every node keeps a list of nodes that are likely to be rich or poor, from the messages
// that it sees.
//
// Transfer     hybrid: an idle node asks; a node with more than `threshold` tokens gives.
// Selection    the oldest token.
// Location     asking: the richest node in the list, else the left neighbour; a node that cannot
//              answer passes the request on round the ring. Giving: one token to each poor node in
//              the list.
// Information  the sender of a request has nothing; every note and token carries the load of the
//              node that sent it. After a node acted on an entry, the entry is unknown again.
// Parameters   rich: tokens; a node with more than these answers. Default 0. threshold: tokens a
//              node keeps when it gives unasked. Default 1.
// Source       [EARTH-LB §3] (His).
#pragma once

#include <algorithm>
#include <vector>

#include "terrane/balance/ring_request.hpp"

namespace terrane::balance {

struct his_options {
  ring_options ring;
  int threshold = 1;
};

class his final : public ring_request {
 public:
  explicit his(const his_options& options = {})
      : ring_request(options.ring), threshold_(options.threshold) {}

  void on_start(node_view& node) override {
    likely_.assign(node.nodes(), unknown);
    if (node.nodes() == 1) return;
    node.set_surplus(threshold_);
    node.set_enough(threshold_ + 2);  // with fewer it would never be rich
  }

  void on_note(node_view& node, node_id from, const note& what) override {
    likely_[from] = node.known_load(from);
    if (what.about != node.me()) likely_[what.about] = 0;
    ring_request::on_note(node, from, what);
  }

  void on_token(node_view& node, node_id from, const load_hint& hint) override {
    ring_request::on_token(node, from, hint);
    likely_[from] = hint.load;
  }

  void on_surplus(node_view& node) override {
    for (node_id i = 1; i < node.nodes() && node.load() > threshold_; ++i) {
      const node_id other = (node.me() + i) % node.nodes();
      if (likely_[other] == 0 && answer(node, other))
        node.log({"his gives to a poor node", other, node.load(), threshold_});
    }
  }

 private:
  static constexpr int unknown = -1;

  node_id first_asked(node_view& node) override {
    const auto richest = std::max_element(likely_.begin(), likely_.end());
    if (*richest <= 0) return node.left();
    node.log({"his asks the richest it knows", richest - likely_.begin(), 0, *richest});
    *richest = unknown;
    return static_cast<node_id>(richest - likely_.begin());
  }

  bool answer(node_view& node, node_id asker) override {
    if (!is_rich(node) || node.give_oldest(asker, 1) == 0) return false;
    likely_[asker] = unknown;
    return true;
  }

  const int threshold_;
  std::vector<int> likely_;  // tokens of each node
};

}  // namespace terrane::balance
