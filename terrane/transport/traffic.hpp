// SPDX-License-Identifier: Apache-2.0
// traffic.hpp: counts how much each node has sent to each other node.
//
// Method      A hash table with open addressing, at most three quarters full. Its size grows with
//             the number of pairs that occur, not with the square of the number of nodes.
// Cost        Counting a message usually touches one cache line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "terrane/transport/sim_statistics.hpp"

namespace terrane {

class traffic {
 public:
  void count(node_id from, node_id to, std::size_t bytes) {
    pair_traffic& mine = find(table_, from, to);
    if (mine.messages == 0) {
      mine.from = from;
      mine.to = to;
      ++used_;
    }
    ++mine.messages;
    mine.bytes += bytes;
    if (used_ * 4 > table_.size() * 3) grow();
  }

  /// All pairs with traffic, by sender, then by receiver.
  std::vector<pair_traffic> pairs() const {
    std::vector<pair_traffic> all;
    all.reserve(used_);
    std::copy_if(table_.begin(), table_.end(), std::back_inserter(all),
                 [](const pair_traffic& each) { return each.messages != 0; });
    std::sort(all.begin(), all.end(), [](const pair_traffic& one, const pair_traffic& other) {
      return one.from != other.from ? one.from < other.from : one.to < other.to;
    });
    return all;
  }

 private:
  /// The entry of the pair, or the free entry where it belongs.
  static pair_traffic& find(std::vector<pair_traffic>& table, node_id from, node_id to) {
    const std::uint64_t key = static_cast<std::uint64_t>(from) << 32 | to;
    const std::size_t mask = table.size() - 1;
    for (std::size_t at = (key * 0x9e3779b97f4a7c15u >> 32) & mask;; at = (at + 1) & mask) {
      pair_traffic& here = table[at];
      if (here.messages == 0 || (here.from == from && here.to == to)) return here;
    }
  }

  void grow() {
    std::vector<pair_traffic> larger(2 * table_.size());
    for (const pair_traffic& each : table_)
      if (each.messages != 0) find(larger, each.from, each.to) = each;
    table_.swap(larger);
  }

  std::vector<pair_traffic> table_ = std::vector<pair_traffic>(64);  // messages 0: free
  std::size_t used_ = 0;
};

}  // namespace terrane
