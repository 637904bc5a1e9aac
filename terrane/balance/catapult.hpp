// SPDX-License-Identifier: Apache-2.0
// catapult.hpp: range, but what is more than the answer goes to the near end: the right neighbour.
//
// Transfer, selection, information, parameters: as range's.
// Location     asking: as range. Giving: the requester one; all that is more, the right neighbour.
// Source       000_bc3addaab27f37f8.txt section 3 (Catapult): "Similar to Range, but the tokens are
//              sent to the near end of the range list"; section 5.2: "By always choosing the
//              nearest neighbor to send extra tokens, the Catapult balancer is likely to shift
//              excess work to another processor instead of distributing it".
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
