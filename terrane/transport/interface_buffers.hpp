// SPDX-License-Identifier: Apache-2.0
// interface_buffers.hpp: counts what has arrived at each node's network interface and has not been
// taken yet.
//
// Model       An interface holds up to `interface_messages`. On the machine of the paper, messages
//             beyond that were lost and the run failed. Here nothing is lost. The arrivals that
//             found the interface full are counted, so a study can say which runs would have
//             failed.
// Source      [EARTH-LB §5.2]: runs that overflowed the buffers of the network interface (OF).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "terrane/core/place.hpp"

namespace terrane {

class interface_buffers {
 public:
  /// room: how many messages each interface holds; 0: no limit.
  interface_buffers(std::uint32_t nodes, std::uint64_t room) : waiting_(nodes), room_(room) {}

  void arrived(node_id at) {
    peak_ = std::max(peak_, ++waiting_[at]);
    if (room_ != 0 && waiting_[at] > room_) ++overflows_;
  }
  void taken(node_id at) { --waiting_[at]; }

  /// The largest number that waited at one node at any time.
  std::uint64_t peak() const { return peak_; }
  std::uint64_t overflows() const { return overflows_; }

 private:
  std::vector<std::uint64_t> waiting_;  // by node
  const std::uint64_t room_;
  std::uint64_t peak_ = 0, overflows_ = 0;
};

}  // namespace terrane
