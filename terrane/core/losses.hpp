// SPDX-License-Identifier: Apache-2.0
// losses.hpp: which processes of a run have ended before their time. A world of one process has
// none.
#pragma once

#include <cstdint>

#include "terrane/core/balancer.hpp"
#include "terrane/core/place.hpp"

namespace terrane {

class losses {
 public:
  /// True once the process of that processor has ended: it will read nothing more.
  virtual bool is_lost(processor_id) const = 0;
  /// 0 while nobody is lost. Then another number some times a second, and processors heed: each
  /// new one asks them to look for what was on its way there.
  virtual std::uint64_t round() const = 0;

 protected:
  ~losses() = default;
};

}  // namespace terrane
