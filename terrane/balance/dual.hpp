// SPDX-License-Identifier: Apache-2.0
// dual.hpp: requests go round the ring one way, tokens the other way, to the first who is poor.
//
// Transfer     receiver-initiated: a node that is idle asks; a rich one sends a token back.
// Selection    the oldest token.
// Location     requests: the left neighbour, and so on. Tokens: the right neighbour, and so on to
//              the first node that is idle and has asked, which need not be the one whose request
//              was answered.
// Information  none. The number that a request carries only tells its own node that it came home.
// Parameters   rich: tokens; a node with more than these answers. Default 0. patience: times that a
//              node is told that it is idle before it asks again though its request did not come
//              home: somebody else took the answer. Default 8.
// Source       [EARTH-LB §3] (Dual).
#pragma once

#include "terrane/balance/ring_request.hpp"

namespace terrane::balance {

struct dual_options {
  ring_options ring;
  int patience = 8;
};

class dual final : public ring_request {
 public:
  explicit dual(const dual_options& options = {})
      : ring_request(options.ring), patience_(options.patience) {}

  void on_idle(node_view& node) override {
    if (asking_ && ++waited_ >= patience_) asking_ = false;
    if (!asking_) waited_ = 0;
    ring_request::on_idle(node);
  }

  void on_token(node_view& node, node_id, const load_hint& hint) override {
    const bool poor = asking_ && node.load() <= 1;  // this token alone
    if (poor || hint.origin == node.me())
      asking_ = false;
    else if (node.pass_oldest(node.right(), hint.origin))
      node.log({"dual passes a token on", hint.origin, node.load(), 0});
  }

 private:
  bool answer(node_view& node, node_id) override {
    if (!is_rich(node) || node.give_oldest(node.right(), 1) == 0) return false;
    node.log({"dual answers a request round the ring", node.right(), node.load(), 0});
    return true;
  }

  const int patience_;
  int waited_ = 0;
};

}  // namespace terrane::balance
