// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/network.hpp"

#include <algorithm>

#include "terrane/base/check.hpp"

namespace terrane {

namespace {

std::uint64_t time_of(std::size_t bytes, std::uint64_t bytes_per_ms) {
  return bytes_per_ms == 0 ? 0 : bytes * 1'000'000 / bytes_per_ms;
}

}  // namespace

network::network(const network_costs& costs, std::uint32_t nodes, std::uint64_t seed)
    : costs_(costs),
      out_free_(costs.topology == topology_kind::shared ? 1 : nodes),
      in_had_(nodes),
      under_way_(costs.buffer_messages != 0 ? nodes : 0),
      random_(seed, 0x6e6574u) {
  if (costs.topology != topology_kind::tree) return;
  TERRANE_CHECK(costs.bus_nodes >= 2);
  std::size_t buses = nodes;
  do {
    buses = (buses + costs.bus_nodes - 1) / costs.bus_nodes;
    bus_free_.emplace_back(buses);
  } while (buses > 1);
}

std::uint64_t network::link_time(std::size_t bytes) const {
  return std::max(costs_.gap_ns, time_of(bytes, costs_.bytes_per_ms));
}

std::uint64_t network::through_bus(std::size_t level, std::size_t bus, std::size_t bytes,
                                   std::uint64_t when, std::uint64_t latency_ns) {
  std::uint64_t& free = bus_free_[level][bus];
  free = std::max(when, free) + time_of(bytes, costs_.bus_bytes_per_ms);
  return free + latency_ns;
}

/// Goes up to the lowest bus above both nodes, and down again.
std::uint64_t network::through_tree(node_id from, node_id to, std::size_t bytes, std::uint64_t when,
                                    std::uint64_t latency_ns) {
  std::size_t up = from / costs_.bus_nodes, level = 0;
  std::vector<std::size_t> down{static_cast<std::size_t>(to / costs_.bus_nodes)};
  for (; up != down.back(); ++level) {
    when = through_bus(level, up, bytes, when, latency_ns);
    up /= costs_.bus_nodes;
    down.push_back(down.back() / costs_.bus_nodes);
  }
  for (++level; level-- > 0;) when = through_bus(level, down[level], bytes, when, latency_ns);
  return when;
}

std::uint64_t network::arrival(node_id from, node_id to, std::size_t bytes, std::uint64_t now,
                               const flight* own) {
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
  const std::uint64_t takes = own ? own->link_ns : link_time(bytes);
  out = leaves + takes;
  const std::uint64_t jitter =
      costs_.jitter_ns == 0 ? 0 : random_.below(static_cast<std::uint32_t>(costs_.jitter_ns) + 1);
  const std::uint64_t sent = leaves + (own ? own->link_ns : time_of(bytes, costs_.bytes_per_ms));
  const std::uint64_t latency_ns = own ? own->latency_ns : costs_.latency_ns;
  const std::uint64_t passed = costs_.topology == topology_kind::tree
                                   ? through_tree(from, to, bytes, sent, latency_ns)
                                   : sent + latency_ns;
  std::uint64_t there = passed + jitter;
  if (!own) {
    std::uint64_t& in = in_had_[to];
    const std::uint64_t apart =
        costs_.receive_bytes_per_ms == 0
            ? takes
            : std::max(costs_.gap_ns, time_of(bytes, costs_.receive_bytes_per_ms));
    there = std::max(there, in == 0 ? 0 : in + apart);
    in = there;
  }
  if (own ? own->in_order
          : !pair_had_.empty()) {  // those of a pair differ in their flights, and keep their order
    std::uint64_t& last = pair_had_[std::uint64_t{from} << 32 | to];
    last = there = std::max(there, last);
  }
  if (costs_.buffer_messages != 0) under_way_[from].push(there);
  return there;
}

}  // namespace terrane
