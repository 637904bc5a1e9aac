// SPDX-License-Identifier: Apache-2.0
// minima.hpp: one token to every other node, once; then it shuts itself off.
//
// Transfer     each time that the queue comes to hold more than one token, until every other node
//              has had one.
// Selection    the oldest token: the highest in the activation tree.
// Location     the nodes in turn, beginning with the right neighbour.
// Information  none. A node that was given a token distributes nothing itself.
// Source       000_bc3addaab27f37f8.txt section 5.3: "shuts itself off after initially distributing
//              one token to each node". That it is one each time, and not all that are queued,
//              follows from Table 4 and 5: of the ten subtrees of TSP(10) nine stay on the first
//              node (7.78 s of 8.58).
#pragma once

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

class minima final : public balancer {
 public:
  void on_start(node_view& node) override {
    if (node.nodes() == 1) return;
    node.set_surplus(1);
    node.set_enough(static_cast<int>(node.nodes()) + 1);  // or there is never one for each
  }

  void on_surplus(node_view& node) override {
    const node_id next = (node.me() + 1 + served_) % node.nodes();
    if (served_ == node.nodes() - 1 || node.load() < 2) return;
    if (node.give_oldest(next, 1) == 0) return;  // they lie in a private stack: next time
    ++served_;
    node.log({"minima gives a first token", next, node.load(), served_});
    if (served_ == node.nodes() - 1) shut_off(node);
  }

  void on_token(node_view& node, node_id, const load_hint&) override { shut_off(node); }

 private:
  void shut_off(node_view& node) {
    node.set_surplus(-1);
    node.set_enough(1);
    served_ = node.nodes() - 1;
  }

  node_id served_ = 0;
};

}  // namespace terrane::balance
