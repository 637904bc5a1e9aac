// SPDX-License-Identifier: Apache-2.0
// refine.hpp: few moves: from the busiest processor to the idlest, while that evens them out.
//
// Transfer     while the busiest processor is 5 % above the mean, and a move makes it less busy.
// Selection    of the busiest processor the member after whose move the two are most even.
// Location     the idlest processor.
// Information  run times.
#pragma once

#include <algorithm>

#include "terrane/balance/rope/processor_loads.hpp"

namespace terrane::balance {

class refine final : public rope_balancer {
 public:
  void place(const rope_view& now, std::span<processor_id> at) override {
    processor_loads loads(now, at);
    // Each member moves once at most, on the average: then it is as even as moves make it.
    for (std::size_t moves = 0; moves < at.size() && loads.is_uneven(); ++moves) {
      const processor_id from = loads.busiest(), to = loads.idlest();
      std::size_t best = at.size();
      std::uint64_t least = loads.of(from);
      for (std::size_t rank = 0; rank < at.size(); ++rank) {
        const rope_member& one = now.members[rank];
        if (at[rank] != from || !one.may_move || one.ran_ns == 0) continue;
        const std::uint64_t busier =
            std::max(loads.of(from) - one.ran_ns, loads.of(to) + one.ran_ns);
        if (busier >= least) continue;
        least = busier;
        best = rank;
      }
      if (best == at.size()) return;
      loads.move(from, to, now.members[best].ran_ns);
      at[best] = to;
    }
  }
};

}  // namespace terrane::balance
