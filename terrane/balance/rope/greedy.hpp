// SPDX-License-Identifier: Apache-2.0
// greedy.hpp: the busiest members first, each to the processor that has least so far.
//
// Transfer     if the busiest processor is 5 % above the mean.
// Selection    all members, in the order of their run time.
// Location     the processor with the least; where that makes no difference, the member's own.
// Information  run times. Who talks with whom is not asked, and most members move.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "terrane/balance/rope/processor_loads.hpp"

namespace terrane::balance {

class greedy final : public rope_balancer {
 public:
  void place(const rope_view& now, std::span<processor_id> at) override {
    if (!processor_loads(now, at).is_uneven()) return;
    std::vector<std::uint32_t> ranks(at.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    std::sort(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t of_a = now.members[a].ran_ns, of_b = now.members[b].ran_ns;
      return of_a != of_b ? of_a > of_b : a < b;
    });
    processor_loads so_far(now);
    for (std::uint32_t rank = 0; rank < at.size(); ++rank)
      if (!now.members[rank].may_move) so_far.add(at[rank], now.members[rank].ran_ns);
    for (const std::uint32_t rank : ranks) {
      const rope_member& one = now.members[rank];
      if (!one.may_move) continue;
      const processor_id least = so_far.idlest();
      if (so_far.of(least) < so_far.of(at[rank])) at[rank] = least;
      so_far.add(at[rank], one.ran_ns);
    }
  }
};

}  // namespace terrane::balance
