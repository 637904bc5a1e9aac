// SPDX-License-Identifier: Apache-2.0
// ring_request.hpp: the base of balancers that ask round the ring. An idle node has one request
// under way; it goes from left neighbour to left neighbour (counter-clockwise) until a node answers
// it or it comes home.
//
// Invariants  At most one request of a node is under way, unless the node gave the last one up.
// Source      [EARTH-LB §3]: all its balancers use a virtual ring of nodes.
#pragma once

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

struct ring_options {
  int rich = 0;  // tokens: a node with more than these is rich
};

class ring_request : public balancer {
 public:
  explicit ring_request(const ring_options& options) : options_(options) {}

  void on_idle(node_view& node) override {
    if (asking_ || node.load() > 0) return;
    asking_ = true;
    node.tell(first_asked(node), {request, node.me(), 0});
  }

  void on_note(node_view& node, node_id, const note& what) override {
    if (what.about == node.me())
      asking_ = false;  // nobody had anything; on_idle comes again
    else if (!answer(node, what.about))
      node.tell(node.left(), what);
  }

  void on_token(node_view&, node_id, const load_hint&) override { asking_ = false; }

 protected:
  /// Location policy: the node that an idle one asks.
  virtual node_id first_asked(node_view& node) { return node.left(); }
  /// Transfer policy: true if this node serves the one that asks.
  virtual bool answer(node_view& node, node_id asker) = 0;

  bool is_rich(node_view& node) const { return node.load() > options_.rich; }

  /// Gives the node's own request up after it was told so often that it is idle, so that it asks
  /// again.
  void give_up_after(int patience) {
    if (asking_ && ++waited_ >= patience) asking_ = false;
    if (!asking_) waited_ = 0;
  }

  static constexpr std::uint32_t request = 1;

  const ring_options options_;
  bool asking_ = false;

 private:
  int waited_ = 0;
};

}  // namespace terrane::balance
