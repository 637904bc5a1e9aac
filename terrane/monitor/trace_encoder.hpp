// SPDX-License-Identifier: Apache-2.0
// trace_encoder.hpp: turns the words of rings into the chunks of a trace file.
//
// Method      What a ring holds is taken out in one step and becomes a chunk. Addresses of
//             functions, fibers and texts become numbers; the first use of one adds a chunk of
//             names before it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "terrane/core/event_ring.hpp"
#include "terrane/monitor/event_text.hpp"

namespace terrane {

class trace_encoder {
 public:
  /// process: the number of the process's first node.
  explicit trace_encoder(std::uint32_t process) : process_(process) {}

  /// Takes what the ring holds, and adds chunks to `to`. Returns how many words it took.
  std::uint64_t take(event_ring& from, std::uint32_t source, std::string& to);
  /// Adds a reading of the clocks.
  void add_clock(std::uint64_t ticks, std::uint64_t monotonic_ns, std::uint64_t run_ns,
                 std::string& to) const;

 private:
  struct state {
    std::uint64_t ticks = 0;  // of the last stamp
    std::uint64_t dropped = 0;
  };
  std::uint64_t number_of(field_kind kind, std::uint64_t address);
  void add_dropped(const event_ring& from, std::uint32_t source, state& its, std::string& to) const;

  const std::uint32_t process_;
  std::unordered_map<std::uint64_t, std::uint64_t> numbers_;  // by address
  std::unordered_map<std::uint32_t, state> states_;           // by source
  std::uint64_t last_address_ = 0, last_number_ = 0;
  std::string names_;  // new ones
  std::string bytes_;
};

/// The list of events as the file's head has it: a JSON text of the classes, one of the events, and
/// one of the names of messages.
std::string classes_json();
std::string events_json();
std::string messages_json();

}  // namespace terrane
