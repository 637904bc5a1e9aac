// SPDX-License-Identifier: Apache-2.0
// prices.hpp: the cost of work that a program declares. A world that measures time has no prices.
#pragma once

#include <cstdint>

#include "terrane/terrane.h"

namespace terrane {

class prices {
 public:
  /// Charges the calling processor for `count` of that operation.
  virtual void charge(const terrane_operation&, std::uint64_t count) = 0;

 protected:
  ~prices() = default;
};

}  // namespace terrane
