// SPDX-License-Identifier: Apache-2.0
// catapult.hpp: as range, but everything beyond the one answer goes to the near end of the range:
// the right neighbour.
//
// Transfer, selection, information, parameters: as range.
// Location     asking: as range. Giving: one token to the requester, the others to the right
//              neighbour.
// Source       [EARTH-LB §3] (Catapult), and [EARTH-LB §5.2]: since the nearest node gets all the
//              surplus, work moves from node to node instead of spreading.
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
