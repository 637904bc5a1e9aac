// SPDX-License-Identifier: Apache-2.0
// parker.hpp: one thread sleeps until something was made visible to it, or a deadline passes.
//
// States      busy: it runs something, and others must notify it; listening: it polls for work;
//             parked: it sleeps, or is about to, and must be woken.
// Argument    The owner stores a state and then looks for work once more. Whoever brings work makes
//             it visible and then loads the state. Both are sequentially consistent, so at least
//             one of them sees the other, and no wake-up is lost. The futex compares the state once
//             more inside the kernel. tests/models explores it.
// Cost        A waker pays one load while nobody sleeps; a wake-up costs 3 to 11 us.
#pragma once

#include <cstdint>

#include "terrane/base/atomic.hpp"

namespace terrane {

class parker {
 public:
  // --- the owner; after each of these it looks for work again ---
  void listen() { state_.store(listening, memory_order_seq_cst); }
  bool is_listening() const { return state_.load(memory_order_relaxed) == listening; }
  void attend() { state_.store(busy, memory_order_seq_cst); }
  /// About to sleep: then sleep(), or listen() again.
  void prepare() { state_.store(parked, memory_order_seq_cst); }
  /// Returns, listening, after a wake, at the deadline (nanoseconds from now; negative: none), or
  /// spuriously.
  void sleep(std::int64_t nanoseconds);

  // --- any thread or process, after it has made its work visible ---
  bool is_busy() const { return state_.load(memory_order_seq_cst) == busy; }
  /// True when it woke a sleeper.
  bool is_parked() const { return state_.load(memory_order_seq_cst) == parked; }
  bool wake() { return is_parked() && wake_sleeper(); }
  /// The same for one that was seen parked.
  bool wake_sleeper();
  /// The caller is the one who is to wake it, since it sleeps on something else. False: somebody
  /// else is.
  bool take_sleeper() {
    std::uint32_t asleep = parked;
    return state_.compare_exchange_strong(asleep, listening, memory_order_seq_cst);
  }

 private:
  enum : std::uint32_t { busy, listening, parked };
  atomic<std::uint32_t> state_{busy};
};

}  // namespace terrane
