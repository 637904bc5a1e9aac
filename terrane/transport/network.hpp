// SPDX-License-Identifier: Apache-2.0
// network.hpp: computes when a message arrives, by a LogGP model with bounded buffers.
//
// Model       A sender is busy for `send_overhead` per message, and longer for a large one, if the
//             network says so. Its link accepts the next message after `gap` or after the time that
//             the bytes need, whichever is longer. The last byte arrives `latency` after it left.
//             The receiver's link delivers messages one after the other, at the same intervals, or
//             faster if the network says so. On a shared medium all senders share one link.
//             Messages of a pair keep their order.
// Tree        A group of nodes shares a bus, and a group of buses shares a bus above them. Each bus
//             on the way carries one message at a time. It passes the message on `latency` after it
//             has received all of it. A message reserves all its buses when it leaves.
// Buffers     At most `buffer_messages` messages of a node may be under way. A further message is
//             counted as an overflow (OF in the paper) and leaves when the first of them arrives.
// Units       Nanoseconds and bytes; bandwidth in bytes per millisecond, so that all numbers are
//             integers.
// Source      Alexandrov and others, LogGP; [EARTH-LB §5] (OF).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "terrane/base/random.hpp"
#include "terrane/base/result.hpp"
#include "terrane/core/place.hpp"
#include "terrane/core/service.hpp"

namespace terrane {

/// What a service costs, instead of what every message does. Work and page are of the processor
/// that makes a request or sends a message, taken of the one that receives it.
struct service_costs {
  bool priced = false;
  std::uint64_t work_ns = 0, work_byte_ps = 0;
  std::uint64_t page_ns = 0;  // for each page that begins within what it copies
  std::uint64_t flight_ns = 0, flight_byte_ps = 0;
  std::uint64_t taken_ns = 0, taken_byte_ps = 0;

  /// The pages of source and target lie half a page apart.
  std::uint64_t work(std::size_t bytes, std::uint64_t page_bytes) const {
    const std::uint64_t steps =
        page_bytes == 0 ? 0 : bytes / page_bytes + (bytes + page_bytes / 2) / page_bytes;
    return work_ns + bytes * work_byte_ps / 1000 + steps * page_ns;
  }
  std::uint64_t taken(std::size_t bytes) const { return taken_ns + bytes * taken_byte_ps / 1000; }
};

/// A message whose flight has a price of its own.
struct flight {
  std::uint64_t latency_ns, link_ns;  // link_ns: so long it keeps its link
  bool in_order = true;               // with the others of its pair
};

enum class topology_kind { crossbar, shared, tree };

/// All costs of a simulated machine. The files in transport/networks/ name each number's source.
struct network_costs {
  std::string name, summary;
  topology_kind topology = topology_kind::crossbar;
  std::uint64_t latency_ns = 0;
  std::uint64_t send_overhead_ns = 0;
  std::uint64_t receive_overhead_ns = 0;
  std::uint64_t bulk_bytes = 0;         // a message of so many bytes is bulk; 0: none is
  std::uint64_t bulk_ns = 0;            // of the sender, more for bulk: to set up its transfer
  std::uint64_t copy_bytes_per_ms = 0;  // of the sender, which copies bulk; 0: it costs nothing
  std::uint64_t gap_ns = 0;
  std::uint64_t bytes_per_ms = 0;          // 0: no limit
  std::uint64_t receive_bytes_per_ms = 0;  // of a receiver's link; 0: as bytes_per_ms
  std::uint64_t bus_nodes = 0;             // of a tree: nodes or buses per bus, at least 2
  std::uint64_t bus_bytes_per_ms = 0;      // 0: no limit
  std::uint64_t buffer_messages = 0;       // 0: no limit
  std::uint64_t interface_messages = 0;  // arrived, not taken; 0: no limit (interface_buffers.hpp)
  std::uint64_t attentive = 0;  // 1: balancers are told of notes and tokens also during a fiber
  std::uint64_t tick_ns = 0;    // during a fiber, queued tokens leave so much later; 0: at once
  std::uint64_t jitter_ns = 0;  // most that is added to the latency, evenly distributed from 0
  // the runtime's own work
  std::uint64_t fiber_ns = 0;          // switch to a fiber
  std::uint64_t token_ns = 0;          // make a token
  std::uint64_t poll_ns = 0;           // one look at the network
  std::uint64_t poll_each = 0;         // 1: so long a look also before each fiber
  std::uint64_t balance_ns = 0;        // one call of the balancer
  std::uint64_t ask_ns_max = 0;        // crew::ask_ns_max; 0: its default
  std::uint64_t local_message_ns = 0;  // between processors of one node
  // the processors' clocks
  std::uint64_t timer_ns = 0;        // what a tick takes of a processor
  std::uint64_t timer_every_ns = 0;  // 0: no ticks
  std::uint64_t send_phase = 0;      // 1: messages leave at a turn's end, or at a tick within it
  // services, by number (core/service.hpp)
  std::uint64_t page_bytes = 0;
  std::uint64_t probe_flight_ns = 0;  // of what looks for deadlocks; 0: a message's, and its cost
  std::uint64_t senders_ask = 0;      // 1: prices::senders_ask()
  std::array<service_costs, services> priced_services{};
  // declared work: picoseconds of one operation, by its name
  std::map<std::string, std::uint64_t, std::less<>> price_ps;
};

class network {
 public:
  network(const network_costs& costs, std::uint32_t nodes, std::uint64_t seed);

  /// The time at which a message of `bytes`, sent at `now`, has arrived at node `to`.
  /// own: its own flight, instead of the network's latency and bandwidth.
  std::uint64_t arrival(node_id from, node_id to, std::size_t bytes, std::uint64_t now,
                        const flight* own = nullptr);

  /// How long a message keeps its sender busy.
  std::uint64_t sending(std::size_t bytes) const {
    if (costs_.bulk_bytes == 0 || bytes < costs_.bulk_bytes) return costs_.send_overhead_ns;
    const std::uint64_t copying =
        costs_.copy_bytes_per_ms == 0 ? 0 : bytes * 1'000'000 / costs_.copy_bytes_per_ms;
    return costs_.send_overhead_ns + costs_.bulk_ns + copying;
  }

  std::uint64_t overflows() const { return overflows_; }

 private:
  std::uint64_t link_time(std::size_t bytes) const;
  std::uint64_t through_tree(node_id from, node_id to, std::size_t bytes, std::uint64_t when,
                             std::uint64_t latency_ns);
  std::uint64_t through_bus(std::size_t level, std::size_t bus, std::size_t bytes,
                            std::uint64_t when, std::uint64_t latency_ns);

  const network_costs costs_;
  std::unordered_map<std::uint64_t, std::uint64_t> pair_had_;  // last arrivals, of own flights
  std::vector<std::uint64_t> out_free_;               // when each link accepts its next message
  std::vector<std::uint64_t> in_had_;                 // last arrival at each node; 0: none yet
  std::vector<std::vector<std::uint64_t>> bus_free_;  // when each bus is free, by level from below
  std::vector<std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>>>
      under_way_;  // arrivals of each sender's messages
  std::uint64_t overflows_ = 0;
  random_stream random_;
};

/// The presets that come with the project.
std::vector<network_costs> network_presets();
/// The text of a preset's file with its comments; empty if no preset has that name.
std::string_view preset_file(std::string_view name);
/// Takes a preset's name, or a file in the presets' format (docs/simulation.md).
result<network_costs> choose_network(const std::string& name_or_file);
/// Reads the format: lines `name = value`, and `# ...` for comments, which name a number's source.
result<network_costs> read_network(const std::string& text, const std::string& where);

}  // namespace terrane
