// SPDX-License-Identifier: Apache-2.0
// catapult.hpp: range, but what is more than the answer goes to the near end: the right neighbour.
//
// Transfer, selection, information, parameters: as range's.
// Location     asking: as range. Giving: the requester one; all that is more, the right neighbour.
// Source       [EARTH-LB §3] (Catapult), and [EARTH-LB §5.2]: the nearest node gets all that is too
//              much, so work moves on from node to node instead of spreading.
#pragma once

#include "terrane/balance/range.hpp"

namespace terrane::balance {

class catapult final : public range {
 public:
  explicit catapult(const range_options& options = {}) : range(options) {}

 private:
  node_id chosen(node_id) const override { return 1; }
};

}  // namespace terrane::balance
