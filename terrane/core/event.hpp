// SPDX-License-Identifier: Apache-2.0
// event.hpp: a time-stamped record of something that happened, and the interface that receives it.
#pragma once

#include <cstdint>

#include "terrane/core/balancer.hpp"

namespace terrane {

struct event {
  std::uint64_t nanoseconds = 0;
  node_id node = 0;
  decision what;
};

class event_sink {
 public:
  virtual ~event_sink() = default;
  /// Called one at a time per node. Must keep no pointer except `what.what`, a string literal.
  virtual void record(const event&) = 0;
};

}  // namespace terrane
