// SPDX-License-Identifier: Apache-2.0
// sound_graph.hpp: whether a graph that was read is one that a run can have left.
//
// Purpose     A trace is a file, and may have been changed. What passes can be replayed with a
//             bounded clock and bounded memory, and no signal comes after its activation's end.
#pragma once

#include "dashboard/recorded_graph.hpp"
#include "terrane/base/result.hpp"

namespace terrane {

/// An error: an activation gets more signals than its slots took, or the graph's work or messages
/// are beyond what a run can have; a sentence that says which.
result<void> check_graph(const recorded_graph& graph);

}  // namespace terrane
