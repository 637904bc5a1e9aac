// SPDX-License-Identifier: Apache-2.0
// interface_buffers.hpp: what has arrived at each node's network interface and was not taken yet.
//
// Model       An interface holds `interface_messages`. The machine of the paper lost what came
//             beyond, and with it the run; here nothing is lost, and the arrivals that found the
//             interface full are counted, so that a study can say which runs would have failed.
// Source      [EARTH-LB §5.2]: runs that overflowed the buffers of the network interface (OF).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "terrane/core/place.hpp"

namespace terrane {

class interface_buffers {
 public:
  /// room: messages each interface holds; 0: no limit.
  interface_buffers(std::uint32_t nodes, std::uint64_t room) : waiting_(nodes), room_(room) {}

  void arrived(node_id at) {
    peak_ = std::max(peak_, ++waiting_[at]);
    if (room_ != 0 && waiting_[at] > room_) ++overflows_;
  }
  void taken(node_id at) { --waiting_[at]; }

  /// The most that ever waited at one node.
  std::uint64_t peak() const { return peak_; }
  std::uint64_t overflows() const { return overflows_; }

 private:
  std::vector<std::uint64_t> waiting_;  // by node
  const std::uint64_t room_;
  std::uint64_t peak_ = 0, overflows_ = 0;
};

}  // namespace terrane
