// SPDX-License-Identifier: Apache-2.0
// event_rooms.hpp: where the events of one process go: a ring for each processor and each node's
// policy if the run is traced, and always a place for the last events of each (the flight
// recorder).
//
// Purpose     The flight recorder is what is printed when a run fails: in constant space, the last
//             events of the classes that are rare (rare_events).
// Invariants  The memory of the flight recorder may be shared with another process, which prints it
//             if this one is killed. Both then have the program's code at the same addresses.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "terrane/core/node.hpp"

namespace terrane {

/// The last events of a whole machine: the processors' places, then the nodes'.
class flight_recorder {
 public:
  /// The bytes for that many processors and nodes.
  static std::size_t bytes_for(std::uint32_t processors, std::uint32_t nodes);
  /// memory: bytes_for() bytes that were zeroed at first and outlive this object, where events may
  /// lie already; null: its own. simulated: stamps are nanoseconds of the run.
  flight_recorder(std::uint32_t processors, std::uint32_t nodes, bool simulated,
                  void* memory = nullptr);
  ~flight_recorder();
  flight_recorder(const flight_recorder&) = delete;
  flight_recorder& operator=(const flight_recorder&) = delete;

  static constexpr std::uint32_t usual = 16;  // events that are printed
  /// How many events are kept of each. Their memory is made into kept_events by the writer.
  std::uint32_t places() const { return places_; }
  kept_events* of_processor(processor_id p) { return at(p); }
  kept_events* of_policy(node_id n) { return at(processors_ + n); }
  /// The last events on stderr, a line each, oldest first: of all, or of one node. Any thread; of a
  /// process in which the program's code lies where the writer had it. now_ns: the time of the run.
  void print_last(std::uint64_t now_ns, std::uint32_t how_many = usual,
                  std::FILE* to = stderr) const {
    print_last(how_many, now_ns, 0, nodes_, to);
  }
  void print_last_of(node_id node, std::uint64_t now_ns) const {
    print_last(usual, now_ns, node, node + 1, stderr);
  }

 private:
  void print_last(std::uint32_t how_many, std::uint64_t now_ns, node_id first, node_id end,
                  std::FILE* to) const;
  kept_events* at(std::uint32_t index) const;
  const std::uint32_t processors_, nodes_, places_;
  void* const memory_;
  const bool owns_;
  const bool simulated_;
  const std::uint64_t first_ticks_, first_ns_;  // of both clocks, when this was made
};

/// What a run records, from its options.
struct event_options {
  event_mask traced = 0;  // from the start, if the run has a trace
  bool rings = false;     // it has one
  bool wait = false;      // an event waits if there is no room, rather than being dropped
};

/// The rings of a process. Empty if the run is not traced.
class event_rooms {
 public:
  struct room {
    std::unique_ptr<event_ring> ring;
    std::uint32_t source;  // as in the trace file
  };
  /// Gives every processor and node of this process its writer.
  event_rooms(const event_options& options, std::span<processor* const> processors,
              std::span<const std::unique_ptr<node>> nodes, flight_recorder& last);

  std::span<const room> rooms() const { return rooms_; }

 private:
  std::vector<room> rooms_;
};

}  // namespace terrane
