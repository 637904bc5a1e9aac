// SPDX-License-Identifier: Apache-2.0
// coroutine_frame.hpp: a coroutine as an activation: its frame is a frame of the machine, and what
// it waits with is a slot in it.
//
// Purpose     A coroutine that waits costs its frame and no stack. It is resumed as a fiber, by
//             the loop of the processor that made it, and waits for whatever signals a slot.
// Invariants  A coroutine is made, resumed and destroyed on one processor. Its slot is a join: it
//             holds one count, which the wait gives up, so signals may come before.
//             Coroutines that continue one another are resumed in a loop, not by nested calls, so
//             a long chain needs no stack.
// Cost        To wait and be resumed: a signal and a turn of the loop.
#pragma once

#include <coroutine>
#include <cstddef>

#include "terrane/cpp/slot.hpp"
#include "terrane/terrane.h"

namespace terrane {

/// Memory for a coroutine, in a frame of this processor. R-240 if there is none; frames have at
/// most 1 MiB.
void* make_coroutine_frame(std::size_t bytes);
/// R-290 on another processor than the one that made it.
void free_coroutine_frame(void* made);

/// What promises of coroutines have in common: the slot that resumes them.
class coroutine_wake {
 public:
  coroutine_wake(const coroutine_wake&) = delete;
  coroutine_wake& operator=(const coroutine_wake&) = delete;
  static void* operator new(std::size_t bytes) { return make_coroutine_frame(bytes); }
  static void operator delete(void* made) { free_coroutine_frame(made); }

  /// Expects one more signal, and returns the slot for it.
  slot_ref expect() { return {terrane_join_into(&wake_, nullptr).slot}; }
  /// Gives up the count of the coroutine itself: true if it must be suspended until all expected
  /// signals have come.
  bool must_wait() { return terrane_await(&wake_) == TERRANE_WAIT; }
  /// Queues a coroutine that is suspended, behind what is ready.
  void make_ready() {
    const slot_ref one = expect();
    must_wait();
    one.signal();
  }

  /// The coroutine that is resumed when the current one gives way; written by await_suspend, read
  /// by the loop below.
  static inline constinit thread_local std::coroutine_handle<> next{};

 protected:
  coroutine_wake() = default;
  /// at: the address of the coroutine's handle.
  void bind(void* at);

 private:
  terrane_slot wake_;
};

/// Promises of coroutines that can wait.
template <class Promise>
concept waiting_promise = std::is_base_of_v<coroutine_wake, Promise>;

}  // namespace terrane
