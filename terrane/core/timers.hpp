// SPDX-License-Identifier: Apache-2.0
// timers.hpp: signals that are due at a certain time; each processor has one ordered set of them.
#pragma once

#include <cstdint>
#include <set>

#include "terrane/core/place.hpp"

namespace terrane {

class timers {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  struct timer {
    std::uint64_t when, order;
    terrane_slot_ref slot;
    bool operator<(const timer& other) const {
      return when != other.when ? when < other.when : order < other.order;
    }
  };

  timer add(std::uint64_t when, terrane_slot_ref slot) {
    return *all_.insert({when, order_++, slot}).first;
  }
  /// Cancels a timer. False: it has fired already.
  bool remove(const timer& added) { return all_.erase(added) != 0; }
  bool empty() const { return all_.empty(); }
  std::uint64_t next() const { return all_.empty() ? never : all_.begin()->when; }

  /// Removes the earliest timer and returns its slot. Of timers due at the same time, the one that
  /// was added first comes first.
  terrane_slot_ref take() {
    const terrane_slot_ref slot = all_.begin()->slot;
    all_.erase(all_.begin());
    return slot;
  }

 private:
  std::set<timer> all_;
  std::uint64_t order_ = 0;
};

}  // namespace terrane
