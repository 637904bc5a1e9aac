// SPDX-License-Identifier: Apache-2.0
// range.hpp: a request that arrives shows that all nodes it passed are idle; a rich node serves the
// far end of that range.
//
// Transfer     hybrid: an idle node asks; a rich one answers, and gives more while it has more than
//              `threshold` tokens and knows of idle nodes.
// Selection    the oldest tokens.
// Location     asking: the left neighbour, and so on round the ring. Giving: the far end of the
//              range, which is the requester, then the node before it, and so on.
// Information  the range: as many nodes to the right as the last request passed. A node that was
//              given a token leaves it.
// Parameters   rich: tokens; a node with more than these answers. Default 0. threshold: tokens a
//              node keeps when it gives unasked. Default 1.
// Source       [EARTH-LB §3] (Range).
#pragma once

#include "terrane/balance/ring_request.hpp"

namespace terrane::balance {

struct range_options {
  ring_options ring;
  int threshold = 1;
};

class range : public ring_request {
 public:
  explicit range(const range_options& options = {})
      : ring_request(options.ring), threshold_(options.threshold) {}

  void on_start(node_view& node) override {
    if (node.nodes() == 1) return;
    node.set_surplus(threshold_);
    node.set_enough(threshold_ + 2);  // with fewer it would never be rich
  }

  void on_surplus(node_view& node) override {
    while (idle_ > 0 && node.load() > threshold_ && serve_one(node)) {}
  }

 protected:
  /// Which node of the range is served: that many to the right.
  virtual node_id chosen(node_id idle) const { return idle; }
  /// Who gets the token that a request is answered with.
  virtual node_id receiver(node_view&, node_id asker) const { return asker; }

 private:
  bool answer(node_view& node, node_id asker) override {
    idle_ = (asker + node.nodes() - node.me()) % node.nodes();
    if (!is_rich(node) || node.give_oldest(receiver(node, asker), 1) == 0) return false;
    node.log({"a request from the far end of a range", asker, node.load(), idle_});
    --idle_;
    on_surplus(node);
    return true;
  }

  bool serve_one(node_view& node) {
    const node_id other = (node.me() + chosen(idle_)) % node.nodes();
    if (node.give_oldest(other, 1) == 0) return false;
    node.log({"more for a range of idle nodes", other, node.load(), idle_});
    --idle_;
    return true;
  }

  const int threshold_;
  node_id idle_ = 0;  // nodes to the right
};

}  // namespace terrane::balance
