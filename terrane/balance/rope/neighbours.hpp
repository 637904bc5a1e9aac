// SPDX-License-Identifier: Apache-2.0
// neighbours.hpp: members that talk stay together: a chain of them is cut into equal shares.
//
// Transfer     if the busiest processor is 5 % above the mean and the cut makes it less busy; or
//              if the cut halves what processors say to one another, and makes none much busier.
// Selection    all members, in a chain: next is who has said most to those in the chain already.
// Location     shares of the chain go to the processors in their order, so that neighbouring
//              shares lie on one node.
// Information  run times, and bytes to other members.
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "terrane/balance/rope/processor_loads.hpp"

namespace terrane::balance {

class neighbours final : public rope_balancer {
 public:
  void place(const rope_view& now, std::span<processor_id> at) override {
    std::vector<processor_id> cut(at.begin(), at.end());
    const processor_loads before(now, at);
    const std::uint64_t all = before.sum();
    if (all == 0) return;
    std::uint64_t so_far = 0;
    for (const std::uint32_t rank : chain_of(now)) {
      const rope_member& one = now.members[rank];
      const std::uint64_t middle = so_far + one.ran_ns / 2;
      so_far += one.ran_ns;
      const auto share = static_cast<processor_id>(middle * now.processors / all);
      if (one.may_move) cut[rank] = std::min(share, now.processors - 1);
    }
    const std::uint64_t most = processor_loads(now, cut).most();
    const bool is_evener = before.is_uneven() && most < before.most();
    const bool is_quieter = spoken(now, cut) <= spoken(now, at) / 2 && spoken(now, at) != 0 &&
                            most <= before.most() + before.most() / 20;
    if (is_evener || is_quieter) std::ranges::copy(cut, at.begin());
  }

 private:
  /// Bytes between processors.
  static std::uint64_t spoken(const rope_view& now, std::span<const processor_id> at) {
    std::uint64_t bytes = 0;
    for (std::size_t rank = 0; rank < at.size(); ++rank)
      for (const rope_talk& each : now.members[rank].talks)
        if (at[each.rank] != at[rank]) bytes += each.bytes;
    return bytes;
  }
  static std::vector<std::uint32_t> chain_of(const rope_view& now) {
    const auto members = static_cast<std::uint32_t>(now.members.size());
    // ~bytes said to and by those in the chain, then the rank: the first of the set is next.
    std::vector<std::uint64_t> said(members);
    std::set<std::pair<std::uint64_t, std::uint32_t>> left;
    for (std::uint32_t rank = 0; rank < members; ++rank) left.insert({~said[rank], rank});
    std::vector<std::uint32_t> chain;
    while (!left.empty()) {
      const std::uint32_t next = left.begin()->second;
      left.erase(left.begin());
      chain.push_back(next);
      for (const rope_talk& each : now.members[next].talks)
        if (left.erase({~said[each.rank], each.rank}) != 0)
          left.insert({~(said[each.rank] += each.bytes), each.rank});
    }
    return chain;
  }
};

}  // namespace terrane::balance
