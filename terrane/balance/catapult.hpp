// SPDX-License-Identifier: Apache-2.0
// catapult.hpp: as range, but everything beyond the one answer goes to the near end of the range:
// the right neighbour.
//
// Transfer, selection, information: as range.
// Location     asking: as range. Giving: one token to the requester, the others to the right
//              neighbour.
// Parameters   rich, threshold: as range. literal: 1 gives the requester's token to the right
//              neighbour, too, as the paper words it ("sent to the near end of the range list").
//              The requester asks again after it was told 8 times that it is idle. Default 0.
// Source       [EARTH-LB §3] (Catapult), and [EARTH-LB §5.2]: since the nearest node gets all the
//              surplus, work moves from node to node instead of spreading.
#pragma once

#include "terrane/balance/range.hpp"

namespace terrane::balance {

class catapult final : public range {
 public:
  explicit catapult(const range_options& options = {}, bool literal = false)
      : range(options), literal_(literal) {}

  void on_idle(node_view& node) override {
    if (literal_) give_up_after(patience);
    range::on_idle(node);
  }

 private:
  static constexpr int patience = 8;

  node_id receiver(node_view& node, node_id asker) const override {
    return literal_ ? node.right() : asker;
  }
  node_id chosen(node_id) const override { return 1; }

  const bool literal_;
};

}  // namespace terrane::balance
