// SPDX-License-Identifier: Apache-2.0
// sim_statistics.hpp: the statistics that only a simulated run has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terrane/core/balancer.hpp"
#include "terrane/core/world_statistics.hpp"

namespace terrane {

/// What one node sent to another over the network.
struct pair_traffic {
  node_id from, to;
  std::uint64_t messages, bytes;
};

struct sim_statistics final : world_report {
  std::uint64_t events = 0, event_log_hash = 0;
  bool repeatable = false;  // all work was declared: the same seed gives the same hash
  std::uint64_t network_messages = 0, network_bytes = 0, overflows = 0;
  std::uint64_t interface_peak = 0;       // most arrivals that waited at one node's interface
  std::uint64_t interface_overflows = 0;  // arrivals that found an interface full
  std::vector<pair_traffic> pairs;        // pairs with traffic, by sender, then by receiver

  std::string to_text() const override;
  std::string to_json(double elapsed_seconds) const override;

  /// The statistics of a run in world sim; other runs have none of this type.
  static const sim_statistics& of(const world_statistics& run) {
    return static_cast<const sim_statistics&>(*run.report);
  }
};

}  // namespace terrane
