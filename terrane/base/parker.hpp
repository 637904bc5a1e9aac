// SPDX-License-Identifier: Apache-2.0
// parker.hpp: one thread sleeps until something was made visible to it, or a deadline passes.
//
// States      busy: others must interrupt it to be noticed; listening: it looks for work by itself
//             all the time; parked: it sleeps, or is about to, and must be woken.
// Argument    Its owner stores a state and then looks once more at everything it may be needed for;
//             whoever needs it makes its work visible and then loads the state. Both are
//             sequentially consistent, so one of the two sees the other: no wake-up is lost. The
//             futex compares the state once more inside the kernel.
// Cost        A waker pays one load while nobody sleeps; a wake-up costs 3 to 11 us.
#pragma once

#include <cstdint>

#include "terrane/base/atomic.hpp"

namespace terrane {

class parker {
 public:
  // --- the owner; after each of these it looks at the work again ---
  void listen() { state_.store(listening, memory_order_seq_cst); }
  bool is_listening() const { return state_.load(memory_order_relaxed) == listening; }
  void attend() { state_.store(busy, memory_order_seq_cst); }
  /// About to sleep: then sleep(), or listen() again.
  void prepare() { state_.store(parked, memory_order_seq_cst); }
  /// Returns, listening, after a wake, at the deadline (nanoseconds from now; negative: none), or
  /// spuriously.
  void sleep(std::int64_t nanoseconds);

  // --- any thread or process, after its work is visible ---
  bool is_busy() const { return state_.load(memory_order_seq_cst) == busy; }
  /// True when it woke a sleeper.
  bool wake() { return state_.load(memory_order_seq_cst) == parked && wake_sleeper(); }

 private:
  enum : std::uint32_t { busy, listening, parked };
  bool wake_sleeper();
  atomic<std::uint32_t> state_{busy};
};

}  // namespace terrane
