// SPDX-License-Identifier: Apache-2.0
// losses.hpp: which processes of a run ended before the run did. A world of one process has no such
// interface.
#pragma once

#include <cstdint>

#include "terrane/core/balancer.hpp"
#include "terrane/core/place.hpp"

namespace terrane {

class losses {
 public:
  /// True once the process of that processor has ended: it will read no more messages.
  virtual bool is_lost(processor_id) const = 0;
  /// 0 while no process is lost. After that the number changes several times a second, and
  /// processors heed: each new number asks them to look for what was on its way to a lost process.
  virtual std::uint64_t round() const = 0;

 protected:
  ~losses() = default;
};

}  // namespace terrane
