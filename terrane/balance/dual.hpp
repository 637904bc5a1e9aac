// SPDX-License-Identifier: Apache-2.0
// dual.hpp: requests travel round the ring one way; tokens travel the other way, to the first node
// that is poor.
//
// Transfer     receiver-initiated: an idle node asks; a rich one answers with a token.
// Selection    the oldest token.
// Location     requests go to the left neighbour, and so on. Tokens go to the right neighbour, and
//              so on to the first node that is idle and has asked. That need not be the node whose
//              request was answered.
// Information  none. The number in a request only tells its own node that it came home.
// Parameters   rich: tokens; a node with more than these answers. Default 0. patience: a node asks
//              again after it was told this often that it is idle, though its request did not come
//              home: another node took the answer. Default 8. literal: 1 as the paper words it:
//              requests carry no number, and circulate until a rich node takes them off the ring.
//              Default 0. On a network without latency such requests stop the virtual clock.
// Source       [EARTH-LB §3] (Dual).
#pragma once

#include "terrane/balance/ring_request.hpp"

namespace terrane::balance {

struct dual_options {
  ring_options ring;
  int patience = 8;
  bool literal = false;  // anonymous requests
};

class dual final : public ring_request {
 public:
  explicit dual(const dual_options& options = {})
      : ring_request(options.ring), patience_(options.patience), literal_(options.literal) {}

  void on_idle(node_view& node) override {
    if (literal_) return ring_request::on_idle(node);
    give_up_after(patience_);
    ring_request::on_idle(node);
  }

  void on_note(node_view& node, node_id from, const note& what) override {
    if (!literal_) return ring_request::on_note(node, from, what);
    if (!answer(node, what.about)) node.tell(node.left(), what);
  }

  void on_token(node_view& node, node_id, const load_hint& hint) override {
    const bool poor = asking_ && node.load() <= 1;  // this token alone
    if (poor || hint.origin == node.me())
      asking_ = false;
    else if (node.pass_oldest(node.right(), hint.origin))
      passed_on(node, hint.origin);
  }

 private:
  void passed_on(node_view& node, node_id origin) {
    node.log({"dual passes a token on", origin, node.load(), 0});
    // A node that has work again leaves its claim to others. Else, without numbers, a token that
    // came home would have used up the request, and the node would wait for ever.
    if (literal_) asking_ = false;
  }

  bool answer(node_view& node, node_id) override {
    if (!is_rich(node) || node.give_oldest(node.right(), 1) == 0) return false;
    node.log({"dual answers a request round the ring", node.right(), node.load(), 0});
    return true;
  }

  const int patience_;
  const bool literal_;
};

}  // namespace terrane::balance
