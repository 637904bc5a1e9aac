// SPDX-License-Identifier: Apache-2.0
// parker.hpp: one thread sleeps until something was made visible to it, or a deadline passes.
//
// Argument    The sleeper stores `parked` and then looks once more at everything it may be woken
//             for; a waker makes its work visible and then loads `parked`. Both are sequentially
//             consistent, so one of the two sees the other: no wake-up is lost. The futex compares
//             `parked` once more inside the kernel.
// Cost        A waker pays one load while nobody sleeps; a wake-up costs 3 to 11 us.
#pragma once

#include <cstdint>

#include "terrane/base/atomic.hpp"

namespace terrane {

class parker {
 public:
  /// The sleeper: announces that it is about to sleep. Look at the work again, then sleep or
  /// cancel.
  void prepare() { parked_.store(1, memory_order_seq_cst); }
  void cancel() { parked_.store(0, memory_order_relaxed); }
  /// Returns after a wake, at the deadline (nanoseconds from now; negative: none), or spuriously.
  void sleep(std::int64_t nanoseconds);

  /// Any thread, after its work is visible. True when it woke a sleeper.
  bool wake() { return parked_.load(memory_order_seq_cst) != 0 && wake_sleeper(); }

 private:
  bool wake_sleeper();
  atomic<std::uint32_t> parked_{0};
};

}  // namespace terrane
