// SPDX-License-Identifier: Apache-2.0
// sound_graph.cpp: the sums that the parts of a recorded graph must have.
#include "dashboard/sound_graph.hpp"

#include <fmt/format.h>

#include <vector>

namespace terrane {

namespace {

// More than any run has. With these, sums of times of world sim stay within 64 bits.
constexpr double work_seconds_max = 1e6;
constexpr double operations_max = 1e15;
constexpr std::uint64_t message_bytes_max = 256u << 20;

/// Of each slot of an activation: the signals that it took, less those that were sent to it by
/// fibers, and by those that await it.
using balances = std::vector<std::vector<std::int64_t>>;

balances signals_taken(const recorded_graph& graph) {
  balances left;
  for (const graph_activation& each : graph.activations) {
    auto& slots = left.emplace_back(each.slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i)
      for (const graph_fire& fire : each.slots[i]) slots[i] += fire.signals;
  }
  return left;
}

void take_awaited(const recorded_graph& graph, std::size_t activation, balances& left) {
  const graph_activation& its = graph.activations[activation];
  const auto awaits = [&](std::uint32_t fiber) {
    if (fiber != no_number && graph.fibers[fiber].awaits != no_number)
      --left[activation][graph.fibers[fiber].awaits];
  };
  awaits(its.first_fiber);
  for (const auto& fires : its.slots)
    for (const graph_fire& each : fires) awaits(each.fiber);
}

}  // namespace

result<void> check_graph(const recorded_graph& graph) {
  balances left = signals_taken(graph);
  double picoseconds = 0, operations = 0;
  for (const graph_fiber& fiber : graph.fibers)
    for (const graph_action& action : fiber.actions) {
      const bool signals =
          action.is == graph_action::kind::signal || action.is == graph_action::kind::ask;
      if (signals && action.what != no_number) --left[action.what][action.slot];
      const auto count = static_cast<double>(action.count);
      if (action.is == graph_action::kind::work) {
        operations += count;
        picoseconds += count * static_cast<double>(graph.operations[action.what].picoseconds);
      } else if (action.count > message_bytes_max) {
        return error{fmt::format("a message of the graph has {} bytes; a replay can have {}",
                                 action.count, message_bytes_max)};
      }
    }
  if (operations > operations_max || picoseconds > work_seconds_max * 1e12)
    return error{
        fmt::format("the graph has {:.3g} operations, {:.3g} s of work in all: no run has so much",
                    operations, picoseconds * 1e-12)};
  for (std::size_t i = 0; i < left.size(); ++i) {
    take_awaited(graph, i, left);
    for (const std::int64_t each : left[i])
      if (each < 0)
        return error{fmt::format(
            "the graph does not add up: activation {} was sent {} more signals than it got", i,
            -each)};
  }
  return {};
}

}  // namespace terrane
