// SPDX-License-Identifier: Apache-2.0
// timers.hpp: signals that are due at a time; one heap a processor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "terrane/core/place.hpp"

namespace terrane {

class timers {
 public:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  void add(std::uint64_t when, terrane_slot_ref slot) {
    heap_.push_back({when, order_++, slot});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  bool empty() const { return heap_.empty(); }
  std::uint64_t next() const { return heap_.empty() ? never : heap_.front().when; }

  /// The slot of the earliest timer that is due; of two at one time the one added first.
  terrane_slot_ref take() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const terrane_slot_ref slot = heap_.back().slot;
    heap_.pop_back();
    return slot;
  }

 private:
  struct timer {
    std::uint64_t when, order;
    terrane_slot_ref slot;
    bool operator>(const timer& other) const {
      return when != other.when ? when > other.when : order > other.order;
    }
  };
  std::vector<timer> heap_;
  std::uint64_t order_ = 0;
};

}  // namespace terrane
