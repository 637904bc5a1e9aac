// SPDX-License-Identifier: Apache-2.0
// replayed_program.hpp: a recorded graph as a program: each activation does again what it did.
//
// Method      A token carries the number of its activation. The activation has a slot for each that
//             it had, and a slot fires after as many signals as then; its fiber declares the same
//             work, makes the same tokens, and signals and asks the same activations, wherever they
//             are now. So the runtime, the balancers and the network do all that they would.
// Limits      One graph at a time in a process, in world sim. An activation has at most 1,000
//             slots.
#pragma once

#include <string>

#include "dashboard/recorded_graph.hpp"
#include "terrane/base/result.hpp"
#include "terrane/machine/machine.hpp"

namespace terrane {

/// An error: an activation has too many slots.
result<void> can_replay(const recorded_graph& graph);

struct replayed_run {
  run_statistics statistics;
  bool ended = true;                // else the graph came to a halt before its end
  std::uint64_t early_signals = 0;  // for activations that had not begun
};
/// Runs the graph on the machine that the options describe (world sim). An error: there is none
/// such.
result<replayed_run> replay(const recorded_graph& graph, const run_options& options);

}  // namespace terrane
