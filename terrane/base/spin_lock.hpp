// SPDX-License-Identifier: Apache-2.0
// spin_lock.hpp: a lock held for a few dozen instructions; gives the core away when that takes
// long.
#pragma once

#include "terrane/base/atomic.hpp"

namespace terrane {

/// Meets the standard's Lockable. `give_up_core` is called after a bounded spin: the holder may
/// have been preempted.
class spin_lock {
 public:
  bool try_lock() {
    // acquire pairs with the release in unlock: what the last holder wrote is seen.
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
