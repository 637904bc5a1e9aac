// SPDX-License-Identifier: Apache-2.0
// heartbeat.hpp: a thread that shows that a node process is alive, independent of its processors,
// and limits the process's memory.
#pragma once

#include <cstdint>
#include <functional>

#include "terrane/machine/options.hpp"
#include "terrane/machine/repeating_thread.hpp"
#include "terrane/transport/roster.hpp"

namespace terrane {

/// Beats from construction to destruction, on a thread of its own. A process that exceeds its
/// memory limit reports it and ends with exit_node_lost.
class heartbeat {
 public:
  /// A quarter of what the option says, so that one that comes late is no silence.
  static int interval_of(const run_options& options) { return options.heartbeat_ms / 4; }

  /// after_each: called after each beat.
  heartbeat(roster_line& mine, node_id number, const run_options& options,
            std::function<void()> after_each);

 private:
  void beat();

  roster_line& mine_;
  const node_id number_;
  const std::uint64_t bytes_max_;
  const std::function<void()> after_each_;
  repeating_thread beats_;
};

}  // namespace terrane
