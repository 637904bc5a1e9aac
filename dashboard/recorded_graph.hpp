// SPDX-License-Identifier: Apache-2.0
// recorded_graph.hpp: the graph of a recorded run: its activations, their fibers, and what each
// fiber did: work, tokens, invocations, signals, requests for data.
//
// Purpose     What `terrane replay` runs on other machines. It is made from the events of the class
//             `graph` alone.
// Slots       As at run time, a slot does not care who signals it: its fires say after how many
//             signals each comes, and which fiber it starts. So a fiber that takes answers one by
//             one in the order in which they come does so in a replay, too.
// Places      Data lies in an activation, and goes where that goes; or elsewhere in the memory of a
//             processor. The latter stays with the processor of that number if others read or
//             wrote it, too, or what lies without a gap beside it; else it belongs to who asks.
// Awaiting    A fiber may await a slot at its end. If all its signals are there, the slot's fiber
//             follows at once, and nothing tells where the one ends and the other begins. It is
//             taken to begin after the operation that brought the last signal.
// Limits      A fiber that followed another, but not so, is a part of it. Data that is put without
//             a signal is not seen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

inline constexpr std::uint32_t no_number = ~std::uint32_t{0};

struct graph_place {
  enum class kind : std::uint8_t { none, here, activation, processor, unknown } is = kind::none;
  std::uint32_t number = 0;
};

struct graph_action {
  enum class kind : std::uint8_t { work, token, invoke, signal, ask } is;
  std::uint8_t message = 0;        // ask: the kind of message
  std::uint32_t what = no_number;  // the operation; the activation that is made or signalled
  std::uint32_t slot = 0;          // signal, ask: of that activation
  std::uint64_t count = 0;         // of operations; bytes
  graph_place from{}, to{};        // ask; invoke: `to`
};

struct graph_fiber {
  std::uint8_t priority = 4;
  std::uint32_t awaits = no_number;  // a slot that fires only after this fiber's end
  std::uint32_t followers = 0;       // fibers that are a part of this one, and cost a switch each
  std::vector<graph_action> actions;
};

/// After so many signals the slot starts that fiber; without one, they came after the last fire.
struct graph_fire {
  std::uint32_t signals = 0;
  std::uint32_t fiber = no_number;
};

struct graph_activation {
  std::uint32_t first_fiber = no_number;
  std::uint32_t fibers = 0;         // in all
  std::uint64_t spare_signals = 0;  // that start no fiber
  std::vector<std::vector<graph_fire>> slots;
};

struct graph_operation {
  std::string name;
  std::uint64_t picoseconds = 0;
};

struct recorded_graph {
  std::vector<graph_activation> activations;
  std::vector<graph_fiber> fibers;
  std::vector<graph_operation> operations;  // the first is a measured nanosecond
  std::uint32_t root = no_number;
  /// Why the graph would have been another one on another machine, a sentence each.
  std::vector<std::string> depends;
  std::uint64_t tokens = 0;
  double elapsed_seconds = 0;
};

/// An error: the trace has no such graph, or not all of it, or the program does what a replay
/// cannot repeat; a sentence that names the option to record with, where there is one.
result<recorded_graph> read_graph(const trace_file& file);

}  // namespace terrane
