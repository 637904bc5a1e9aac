// SPDX-License-Identifier: Apache-2.0
// waiting_nodes.hpp: what a node that serves others knows of them: whose request is parked here and
// until when, and which nodes it remembers as poor.
#pragma once

#include <cstdint>
#include <vector>

#include "terrane/core/place.hpp"

namespace terrane::balance {

class waiting_nodes {
 public:
  explicit waiting_nodes(std::uint32_t nodes = 0) : nodes_(nodes) {}

  void park(node_id who, std::uint64_t until, std::uint64_t patience_us) {
    parked_ += nodes_[who].parked ? 0 : 1;
    nodes_[who] = {true, nodes_[who].poor, until, patience_us};
  }
  void set_poor(node_id who, bool is) {
    poor_ += (is ? 1 : 0) - (nodes_[who].poor ? 1 : 0);
    nodes_[who].poor = is;
  }
  void served(node_id who) {
    unpark(who);
    set_poor(who, false);
  }
  bool parked(node_id who) const { return nodes_[who].parked; }
  bool poor(node_id who) const { return nodes_[who].poor; }
  bool any_parked() const { return parked_ > 0; }
  bool any_poor() const { return poor_ > 0; }

  /// Removes the requests that were parked long enough: leave(who, patience_us).
  template <class Leave>
  void take_due(std::uint64_t now, Leave&& leave) {
    if (parked_ == 0) return;
    for (node_id who = 0; who < nodes_.size(); ++who) {
      if (!nodes_[who].parked || now < nodes_[who].until) continue;
      unpark(who);
      leave(who, nodes_[who].patience_us);
    }
  }

 private:
  struct waiting {
    bool parked = false, poor = false;
    std::uint64_t until = 0, patience_us = 0;
  };

  void unpark(node_id who) {
    parked_ -= nodes_[who].parked ? 1 : 0;
    nodes_[who].parked = false;
  }

  std::vector<waiting> nodes_;
  int parked_ = 0, poor_ = 0;  // how many of them
};

}  // namespace terrane::balance
