// SPDX-License-Identifier: Apache-2.0
// spin_lock.hpp: a lock that is held for a few dozen instructions; a waiter yields the core when it
// has to wait long.
#pragma once

#include "terrane/base/atomic.hpp"

namespace terrane {

/// Meets the standard's Lockable. After a bounded spin `give_up_core` is called: the holder may
/// have been preempted.
class spin_lock {
 public:
  bool try_lock() {
    // acquire pairs with the release in unlock: the writes of the last holder are visible.
    return !held_.load(memory_order_relaxed) && !held_.exchange(true, memory_order_acquire);
  }
  void lock() {
    for (int spins = 0; !try_lock(); ++spins) {
      if (spins < 64)
        pause_core();
      else
        yield_core();
    }
  }
  void unlock() { held_.store(false, memory_order_release); }

 private:
  static void yield_core();
  atomic<bool> held_{false};
};

}  // namespace terrane
