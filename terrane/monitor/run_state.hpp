// SPDX-License-Identifier: Apache-2.0
// run_state.hpp: what the processors of a process do while the run goes on, as one line of JSON.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "terrane/core/node.hpp"

namespace terrane {

/// An object with `words`, `world`, `pid`, `seconds` (of the run; 0: simulated), `processors`,
/// `loads` (of nodes, as measured) and `profile`. Of a processor: its number, its node, whether it
/// is idle, `tokens` (made so far), `queued`, and the nanoseconds that it `ran`, `balanced`,
/// `polled` and was idle (`rested`) until its last look at the clock, `until`. Any thread may call
/// it.
std::string run_state(const std::string& words, const std::string& world, int process,
                      double seconds, std::span<processor* const> processors,
                      std::span<const std::unique_ptr<node>> nodes);

}  // namespace terrane
