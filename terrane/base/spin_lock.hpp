// SPDX-License-Identifier: Apache-2.0
// spin_lock.hpp: a lock that is held for a few dozen instructions; a waiter yields the core when it
// has to wait long.
#pragma once

#include "terrane/base/give_way.hpp"

namespace terrane {

/// Meets the standard's Lockable.
class spin_lock {
 public:
  bool try_lock() {
    // acquire pairs with the release in unlock: the writes of the last holder are visible.
    return !held_.load(memory_order_relaxed) && !held_.exchange(true, memory_order_acquire);
  }
  void lock() {
    for (int spins = 0; !try_lock(); ++spins) give_way(spins);
  }
  void unlock() { held_.store(false, memory_order_release); }

 private:
  atomic<bool> held_{false};
};

}  // namespace terrane
