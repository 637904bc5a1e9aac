// SPDX-License-Identifier: Apache-2.0
// network.hpp: when a message sent now arrives, by a LogGP model with bounded buffers.
//
// Model       A sender is busy `send_overhead` per message; its link takes the next one after `gap`
//             or the time its bytes need, whichever is longer; the last byte arrives `latency`
//             after it left; the receiver's link delivers one after the other likewise. On a shared
//             medium all links are one. A pair's messages keep their order.
// Tree        Nodes in groups share a bus, groups of buses share the one above them. Each bus on
//             the way takes one message at a time and passes it on when it has it whole, `latency`
//             later. A message books all its buses when it leaves.
// Buffers     At most `buffer_messages` of a node may be under way; one more is counted as an
//             overflow (the paper's OF) and leaves when the first of them has arrived.
// Units       Nanoseconds, bytes; bandwidth in bytes per millisecond, so that all is whole numbers.
// Source      Alexandrov and others, LogGP; [EARTH-LB §5] (OF).
#pragma once

#include <cstdint>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/random.hpp"
#include "terrane/base/result.hpp"
#include "terrane/core/place.hpp"

namespace terrane {

enum class topology_kind { crossbar, shared, tree };

/// All that a simulated machine costs. The files in transport/networks/ name each number's source.
struct network_costs {
  std::string name, summary;
  topology_kind topology = topology_kind::crossbar;
  std::uint64_t latency_ns = 0;
  std::uint64_t send_overhead_ns = 0;
  std::uint64_t receive_overhead_ns = 0;
  std::uint64_t gap_ns = 0;
  std::uint64_t bytes_per_ms = 0;        // 0: no limit
  std::uint64_t bus_nodes = 0;           // of a tree: nodes or buses on a bus, 2 at least
  std::uint64_t bus_bytes_per_ms = 0;    // 0: no limit
  std::uint64_t buffer_messages = 0;     // 0: no limit
  std::uint64_t interface_messages = 0;  // arrived, not taken; 0: no limit (interface_buffers.hpp)
  std::uint64_t attentive = 0;           // 1: balancers hear of notes and tokens within fibers, too
  std::uint64_t tick_ns = 0;    // but of what is to be served only so much later; 0: at once
  std::uint64_t jitter_ns = 0;  // added to the latency, evenly from 0
  // the runtime's own work
  std::uint64_t fiber_ns = 0;          // switch to a fiber
  std::uint64_t token_ns = 0;          // make a token
  std::uint64_t poll_ns = 0;           // one look at the network
  std::uint64_t balance_ns = 0;        // one call of the balancer
  std::uint64_t ask_ns_max = 0;        // transport::ask_ns_max; 0: that of every world
  std::uint64_t local_message_ns = 0;  // between processors of one node
  // declared work: picoseconds of one operation, by its name; `operation` for names not listed
  std::map<std::string, std::uint64_t, std::less<>> price_ps;
};

class network {
 public:
  network(const network_costs& costs, std::uint32_t nodes, std::uint64_t seed);

  /// The moment at which a message of `bytes`, handed over at `now`, has reached the other node.
  std::uint64_t arrival(node_id from, node_id to, std::size_t bytes, std::uint64_t now);

  std::uint64_t overflows() const { return overflows_; }

 private:
  std::uint64_t link_time(std::size_t bytes) const;
  std::uint64_t through_tree(node_id from, node_id to, std::size_t bytes, std::uint64_t when);
  std::uint64_t through_bus(std::size_t level, std::size_t bus, std::size_t bytes,
                            std::uint64_t when);

  const network_costs costs_;
  std::vector<std::uint64_t> out_free_;               // when each link takes the next message
  std::vector<std::uint64_t> in_had_;                 // when each had its last; 0: none yet
  std::vector<std::vector<std::uint64_t>> bus_free_;  // likewise, by level from below
  std::vector<std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>>
      under_way_;  // arrivals of each sender's messages
  std::uint64_t overflows_ = 0;
  random_stream random_;
};

/// The presets that come with the project, by name.
std::vector<network_costs> network_presets();
/// The file of a preset, comments and all; empty if there is none of that name.
std::string_view preset_file(std::string_view name);
/// A preset's name, or a file in the presets' format (docs/simulation.md).
result<network_costs> choose_network(const std::string& name_or_file);
/// Reads the format: `name = number` lines, `# ...` for where the number is from.
result<network_costs> read_network(const std::string& text, const std::string& where);

}  // namespace terrane
