// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/network.hpp"

#include <algorithm>

namespace terrane {

network::network(const network_costs& costs, std::uint32_t nodes, std::uint64_t seed)
    : costs_(costs),
      out_free_(costs.topology == topology_kind::shared ? 1 : nodes),
      in_free_(nodes),
      under_way_(costs.buffer_messages != 0 ? nodes : 0),
      random_(seed, 0x6e6574u) {}

std::uint64_t network::link_time(std::size_t bytes) const {
  const std::uint64_t by_bytes =
      costs_.bytes_per_ms == 0 ? 0 : bytes * 1'000'000 / costs_.bytes_per_ms;
  return std::max(costs_.gap_ns, by_bytes);
}

std::uint64_t network::arrival(node_id from, node_id to, std::size_t bytes, std::uint64_t now) {
  std::uint64_t ready = now;
  if (costs_.buffer_messages != 0) {
    auto& mine = under_way_[from];
    while (!mine.empty() && mine.top() <= ready) mine.pop();
    if (mine.size() >= costs_.buffer_messages) {
      ++overflows_;
      while (mine.size() >= costs_.buffer_messages) {
        ready = std::max(ready, mine.top());
        mine.pop();
      }
    }
  }
  std::uint64_t& out = out_free_[costs_.topology == topology_kind::shared ? 0 : from];
  const std::uint64_t leaves = std::max(ready, out);
  const std::uint64_t takes = link_time(bytes);
  out = leaves + takes;
  const std::uint64_t jitter =
      costs_.jitter_ns == 0 ? 0 : random_.below(static_cast<std::uint32_t>(costs_.jitter_ns) + 1);
  const std::uint64_t by_bytes =
      costs_.bytes_per_ms == 0 ? 0 : bytes * 1'000'000 / costs_.bytes_per_ms;
  const std::uint64_t there =
      std::max(leaves + by_bytes + costs_.latency_ns + jitter, in_free_[to]);
  in_free_[to] = there + takes;
  if (costs_.buffer_messages != 0) under_way_[from].push(there);
  return there;
}

}  // namespace terrane
