// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/promise.hpp"

#include "terrane/core/failure.hpp"

namespace terrane::detail {

bool eventual::wait(std::uint64_t nanoseconds) {
  if (is_ready()) return true;
  thread_block& me = thread_block::current("the wait for a future");
  node_lock::hold state(inside_);
  if (ready_.load(memory_order_relaxed)) return true;
  if (nanoseconds == 0) return false;
  waiter mine(me);
  return waiting_.wait_for(mine, state, nanoseconds, "a future");
}

bool eventual::add(continuation& what) {
  const node_lock::hold state(inside_);
  if (ready_.load(memory_order_relaxed)) return false;
  what.next = continuations_;
  continuations_ = &what;
  return true;
}

void eventual::claim() {
  const node_lock::hold state(inside_);
  if (claimed_)
    fail(run_time_error::future_misused,
         "the value of a promise was set twice, or after its exception");
  claimed_ = true;
}

/// The waiters that are woken, and continuations, may free the state: nothing is read after them.
void eventual::fulfil() {
  continuation* first = nullptr;
  {
    const node_lock::hold state(inside_);
    ready_.store(true, memory_order_release);
    first = std::exchange(continuations_, nullptr);
    waiting_.wake_all();
  }
  while (first) {
    continuation* const next = first->next;
    first->fulfilled();
    first = next;
  }
}

void eventual::set_failure(std::exception_ptr what) {
  claim();
  failure_ = std::move(what);
  fulfil();
}

}  // namespace terrane::detail
