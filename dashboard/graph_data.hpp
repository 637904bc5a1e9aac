// SPDX-License-Identifier: Apache-2.0
// graph_data.hpp: whose the data is that a recorded program read and wrote outside of activations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dashboard/recorded_graph.hpp"

namespace terrane {

class graph_data {
 public:
  /// Somebody on processor `by` asked for these bytes to be read, or written. Returns a place that
  /// is not known yet: see settle().
  graph_place add(std::uint64_t place, std::uint64_t bytes, std::uint32_t by, bool written) {
    const auto owner = static_cast<std::uint32_t>(place >> 50) - 1;
    all_.push_back({place, place + std::max<std::uint64_t>(1, bytes), owner, written, owner != by});
    return {graph_place::kind::unknown, static_cast<std::uint32_t>(all_.size() - 1)};
  }
  /// Call when all are there: data that lies without a gap beside what others used is shared, too.
  void find_shared() {
    std::vector<std::size_t> order(all_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return all_[a].written != all_[b].written ? all_[b].written : all_[a].begin < all_[b].begin;
    });
    for (std::size_t first = 0, end; first < order.size(); first = end) {
      std::uint64_t reach = all_[order[first]].end;
      bool shared = false;
      for (end = first; end < order.size(); ++end) {
        const range& its = all_[order[end]];
        if (its.begin > reach || its.written != all_[order[first]].written) break;
        reach = std::max(reach, its.end);
        shared = shared || its.shared;
      }
      for (std::size_t i = first; i < end; ++i) all_[order[i]].shared = shared;
    }
  }
  /// Shared data stays with its processor; other data goes where those go that use it.
  void settle(graph_place& place) {
    if (place.is != graph_place::kind::unknown) return;
    const range& its = all_[place.number];
    elsewhere_ = elsewhere_ || (its.shared && its.owner != 0);
    if (its.shared)
      place = {graph_place::kind::processor, its.owner};
    else
      place = {graph_place::kind::here, 0};
  }
  /// True if shared data lay with another processor than the first.
  bool lay_elsewhere() const { return elsewhere_; }

 private:
  struct range {
    std::uint64_t begin, end;
    std::uint32_t owner;
    bool written, shared;
  };
  std::vector<range> all_;
  bool elsewhere_ = false;
};

}  // namespace terrane
