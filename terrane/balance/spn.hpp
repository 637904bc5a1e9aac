// SPDX-License-Identifier: Apache-2.0
// spn.hpp: a request travels round the ring until it meets a token, which goes straight to the
// requester.
//
// Transfer     receiver-initiated: an idle node asks; a rich one gives.
// Selection    the oldest token.
// Location     the left neighbour, and so on round the ring; a request that comes home has found
//              nothing.
// Information  none but the requester's number, carried by the request.
// Parameters   rich: tokens; a node with more than these answers. Default 0.
// Source       [EARTH-LB §3] (Spn).
#pragma once

#include "terrane/balance/ring_request.hpp"

namespace terrane::balance {

class spn final : public ring_request {
 public:
  explicit spn(const ring_options& options = {}) : ring_request(options) {}

 private:
  bool answer(node_view& node, node_id asker) override {
    if (!is_rich(node) || node.give_oldest(asker, 1) == 0) return false;
    node.log({"spn answers a request", asker, node.load(), 0});
    return true;
  }
};

}  // namespace terrane::balance
