// SPDX-License-Identifier: Apache-2.0
// prices.hpp: the cost of work that a program declares, and of what the runtime does for threads. A
// world that measures time has no prices.
#pragma once

#include <cstdint>

#include "terrane/core/service.hpp"
#include "terrane/terrane.h"

namespace terrane {

class prices {
 public:
  /// Charges the calling processor for `count` of that operation.
  virtual void charge(const terrane_operation&, std::uint64_t count) = 0;
  /// Charges it for a request of its thread's, about so many bytes.
  virtual void serve(service what, std::size_t bytes) = 0;
  /// The message that it sends next is of that kind, and has so many bytes of a program's.
  virtual void send_as(service what, std::size_t bytes) = 0;
  /// True: a receiver of a channel tells the sender once that it is there, and asks for an item
  /// only when the sender has said that it has one. False: it asks at once.
  virtual bool senders_ask() const = 0;

 protected:
  ~prices() = default;
};

}  // namespace terrane
