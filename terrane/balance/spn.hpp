// SPDX-License-Identifier: Apache-2.0
// spn.hpp: requests go round the ring until they meet a token, which travels straight to the
// requester.
//
// Transfer     receiver-initiated: a node that is idle asks; one that has a token gives.
// Selection    the oldest token.
// Location     the left neighbour, and so on round the ring; a request that comes home has found
//              nothing. Information  none but the requester's number, carried by the request.
//              Source 000_bc3addaab27f37f8.txt section 3 (Spn; Dual for the ring).
#pragma once

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

class spn final : public balancer {
 public:
  void on_idle(node_view& node) override {
    if (asking_ || node.load() > 0) return;
    asking_ = true;
    node.tell(node.left(), {request, node.me(), 0});
  }

  void on_note(node_view& node, node_id, const note& what) override {
    if (what.about == node.me()) {
      asking_ = false;  // nobody had anything; on_idle comes again
      return;
    }
    if (node.load() > 0 && node.give_oldest(what.about, 1) > 0) {
      node.log({"spn answers a request", what.about, node.load(), 0});
      return;
    }
    node.tell(node.left(), what);
  }

  void on_token(node_view&, node_id, const load_hint&) override { asking_ = false; }

 private:
  static constexpr std::uint32_t request = 1;
  bool asking_ = false;
};

}  // namespace terrane::balance
