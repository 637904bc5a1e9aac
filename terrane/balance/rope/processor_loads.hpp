// SPDX-License-Identifier: Apache-2.0
// processor_loads.hpp: how long the members on each processor have run: what policies for ropes
// compare.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "terrane/core/rope_balancer.hpp"

namespace terrane::balance {

/// An uneven rope is one whose busiest processor has this many per cent more than the mean.
inline constexpr std::uint64_t uneven_from_percent = 5;

class processor_loads {
 public:
  processor_loads(const rope_view& now, std::span<const processor_id> at) : ns_(now.processors) {
    for (std::size_t rank = 0; rank < at.size(); ++rank) add(at[rank], now.members[rank].ran_ns);
  }
  explicit processor_loads(const rope_view& now) : ns_(now.processors) {}

  void add(processor_id to, std::uint64_t ns) { ns_[to] += ns; }
  void move(processor_id from, processor_id to, std::uint64_t ns) {
    ns_[from] -= ns;
    ns_[to] += ns;
  }
  std::uint64_t of(processor_id which) const { return ns_[which]; }
  processor_id busiest() const {
    return static_cast<processor_id>(std::max_element(ns_.begin(), ns_.end()) - ns_.begin());
  }
  processor_id idlest() const {
    return static_cast<processor_id>(std::min_element(ns_.begin(), ns_.end()) - ns_.begin());
  }
  std::uint64_t most() const { return ns_[busiest()]; }
  std::uint64_t sum() const { return std::accumulate(ns_.begin(), ns_.end(), std::uint64_t{0}); }
  bool is_uneven() const { return most() * ns_.size() * 100 > sum() * (100 + uneven_from_percent); }

 private:
  std::vector<std::uint64_t> ns_;
};

}  // namespace terrane::balance
