// SPDX-License-Identifier: Apache-2.0
// decoded_moves.hpp: checks the moves of a run against the table of states_of_moves.hpp.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "terrane/core/place.hpp"
#include "tests/decoded/traced_ends.hpp"

namespace terrane::decoded {

class decoded_moves {
 public:
  explicit decoded_moves(const traced_ends& all) : processors_per_node_(all.processors_per_node) {
    std::map<std::uint64_t, std::vector<move_event>> of;
    for (const thread_event& each : all.moves) of[each.thread].push_back(each);
    for (auto& [thread, events] : of) follow(thread, events);
  }
  /// What the table does not accept, a sentence each.
  const std::vector<std::string>& faults() const { return faults_; }
  /// The node where the thread was after so many departures.
  std::uint64_t node_of(std::uint64_t thread, std::uint64_t departure) const {
    std::uint64_t node = home_of(thread);
    if (const auto its = nodes_.find(thread); its != nodes_.end())
      for (const auto& [after, where] : its->second)
        if (after <= departure) node = where;
    return node;
  }

 private:
  std::uint64_t home_of(std::uint64_t thread) const {
    return processor_of(thread) / processors_per_node_;
  }
  /// The numbers of departures put the events of all nodes in order, without a clock.
  void follow(std::uint64_t thread, std::vector<move_event>& events) {
    std::ranges::sort(events, {}, [](const move_event& one) {
      return std::tuple(one.departure, !one.leaves, one.node);
    });
    wanderer one{.node = home_of(thread)};
    for (const move_event& each : events) {
      if (!take(one, each)) {
        faults_.push_back(fmt::format("thread {:#x} {} node {} as departure {}, other node {}",
                                      thread, each.leaves ? "leaves" : "arrives at", each.node,
                                      each.departure, each.other));
        return;
      }
      nodes_[thread][each.departure] = one.node;
    }
    if (one.at == whereabouts::leaves)
      faults_.push_back(
          fmt::format("thread {:#x} left for node {} and is nowhere", thread, one.to));
  }

  const std::uint32_t processors_per_node_;
  std::map<std::uint64_t, std::map<std::uint64_t, std::uint64_t>> nodes_;
  std::vector<std::string> faults_;
};

}  // namespace terrane::decoded
