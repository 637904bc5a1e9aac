// SPDX-License-Identifier: Apache-2.0
// known_loads.hpp: what a node has heard of the loads of others.
//
// Method      A hash table with open addressing, at most half full, of those whose load was once
//             not 0. So a node that hears of thousands of idle ones keeps nothing, and the table
//             grows with the nodes that have work, not with the machine.
// Cost        Usually one cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "terrane/core/place.hpp"

namespace terrane {

class known_loads {
 public:
  /// 0 for a node that nothing was heard of.
  int of(node_id node) const {
    if (table_.empty()) return 0;
    const entry& found = table_[place_of(node)];
    return found.node == node ? found.load : 0;
  }

  void set(node_id node, int load) {
    if (table_.empty()) {
      if (load == 0) return;
      table_.resize(4);
    }
    std::size_t at = place_of(node);
    if (table_[at].node != node) {
      if (load == 0) return;
      if (++used_ * 2 > table_.size()) {
        grow();
        at = place_of(node);
      }
      table_[at].node = node;
    }
    table_[at].load = load;
  }

 private:
  static constexpr node_id nobody = ~node_id{0};
  struct entry {
    node_id node = nobody;
    int load = 0;
  };

  /// Where that node's entry is, or belongs.
  std::size_t place_of(node_id node) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = (node * std::size_t{0x9e3779b97f4a7c15u} >> 32) & mask;
    while (table_[at].node != node && table_[at].node != nobody) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<entry> before(2 * table_.size());
    before.swap(table_);
    for (const entry& each : before)
      if (each.node != nobody) table_[place_of(each.node)] = each;
  }

  std::vector<entry> table_;
  std::size_t used_ = 0;
};

}  // namespace terrane
