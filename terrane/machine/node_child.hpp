// SPDX-License-Identifier: Apache-2.0
// node_child.hpp: a node's process, as the launcher that forked it knows it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

#include "terrane/core/place.hpp"
#include "terrane/machine/forwarded_output.hpp"

namespace terrane {

struct node_child {
  using clock = std::chrono::steady_clock;
  /// The read end of a pipe, and where its data is forwarded.
  struct stream {
    int from = -1;
    forwarded_output to;
  };

  node_id node;
  pid_t process = -1;
  stream out, err;
  bool ended = false, judged = false;
  int status = 0;
  std::uint64_t beats = 0;
  clock::time_point last_beat;

  /// True if a signal or a debugger has stopped the process.
  bool is_stopped() const;
};

}  // namespace terrane
