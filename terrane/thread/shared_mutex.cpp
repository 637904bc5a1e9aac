// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/shared_mutex.hpp"

#include "terrane/core/failure.hpp"

namespace terrane {

bool shared_mutex::take(int what, std::uint64_t nanoseconds) {
  thread_block& me = thread_block::current("lock of a shared_mutex");
  node_lock::hold state(inside_);
  if (writer_ == &me)
    fail(run_time_error::lock_misused,
         "thread %s would wait for a shared_mutex that it holds itself", me.thread_name());
  if (free_for(what)) {
    if (what == writing)
      writer_ = &me;
    else
      ++readers_;
  } else {
    if (nanoseconds == 0) return false;
    waiter mine(me, what);
    if (!waiting_.wait_for(mine, state, nanoseconds, "a shared_mutex")) {
      // The readers behind a writer that gave up may enter now.
      node_lock::hold again(inside_);
      let_in();
      return false;
    }
  }
  me.takes_lock();
  return true;
}

/// Under the lock: lets in and wakes all that may enter now.
void shared_mutex::let_in() {
  while (waiter* const next = waiting_.front()) {
    if (writer_ || (next->wants == writing && readers_ != 0)) return;
    waiting_.pop();
    if (next->wants == writing)
      writer_ = next->who;
    else
      ++readers_;
    wait_queue::wake(*next);
  }
}

void shared_mutex::unlock() {
  thread_block& me = thread_block::current("unlock of a shared_mutex");
  node_lock::hold state(inside_);
  if (writer_ != &me)
    fail(run_time_error::lock_misused, "thread %s unlocked a shared_mutex that it did not hold",
         me.thread_name());
  me.gives_back_lock();
  writer_ = nullptr;
  let_in();
}

void shared_mutex::unlock_shared() {
  thread_block& me = thread_block::current("unlock of a shared_mutex");
  node_lock::hold state(inside_);
  if (readers_ == 0)
    fail(run_time_error::lock_misused, "thread %s unlocked a shared_mutex that nobody reads",
         me.thread_name());
  me.gives_back_lock();
  --readers_;
  let_in();
}

}  // namespace terrane
