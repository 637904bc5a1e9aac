// SPDX-License-Identifier: Apache-2.0
// shis.hpp: spn with a memory: an idle node first asks the node that gave it a token last time.
//
// Transfer     receiver-initiated: an idle node asks; a rich one gives.
// Selection    the oldest token.
// Location     the node that the last token came from; if that has none, on from there round the
//              ring. At first the left neighbour.
// Information  the giver's number, which every token brings. It is kept until another node gives,
//              also after a request that failed, as in the paper.
// Parameters   rich: tokens; a node with more than these answers. Default 0.
// Source       [EARTH-LB §3] (Shis).
#pragma once

#include <optional>

#include "terrane/balance/ring_request.hpp"

namespace terrane::balance {

class shis final : public ring_request {
 public:
  explicit shis(const ring_options& options = {}) : ring_request(options) {}

  void on_token(node_view& node, node_id from, const load_hint& hint) override {
    ring_request::on_token(node, from, hint);
    remembered_ = from;
  }

 private:
  node_id first_asked(node_view& node) override { return remembered_.value_or(node.left()); }

  bool answer(node_view& node, node_id asker) override {
    if (!is_rich(node) || node.give_oldest(asker, 1) == 0) return false;
    node.log({"shis answers a request", asker, node.load(), 0});
    return true;
  }

  std::optional<node_id> remembered_;
};

}  // namespace terrane::balance
