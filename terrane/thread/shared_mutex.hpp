// SPDX-License-Identifier: Apache-2.0
// shared_mutex.hpp: many readers or one writer.
//
// Invariants  For threads of one node. Fair: readers that come after a waiting writer wait behind
//             it; an unlock lets in the writer that is first in the queue, or all readers in front
//             of the first writer. A writer that locks twice, or unlocks a lock that it does not
//             hold, is R-283.
// Source      [ACTIVE §4.2] (reader/writer locks).
#pragma once

#include <cstdint>

#include "terrane/thread/how_long.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

/// Meets the standard's SharedTimedLockable.
class shared_mutex {
 public:
  shared_mutex() = default;
  shared_mutex(const shared_mutex&) = delete;
  shared_mutex& operator=(const shared_mutex&) = delete;

  void lock() { static_cast<void>(take(writing, wait_queue::for_ever)); }
  bool try_lock() { return take(writing, 0); }
  bool try_lock_for(how_long time) { return take(writing, time.nanoseconds()); }
  template <chrono_time_point Time>
  bool try_lock_until(const Time& when) {
    return try_lock_for(how_long::until(when));
  }
  void unlock();

  void lock_shared() { static_cast<void>(take(reading, wait_queue::for_ever)); }
  bool try_lock_shared() { return take(reading, 0); }
  bool try_lock_shared_for(how_long time) { return take(reading, time.nanoseconds()); }
  template <chrono_time_point Time>
  bool try_lock_shared_until(const Time& when) {
    return try_lock_shared_for(how_long::until(when));
  }
  void unlock_shared();

 private:
  enum : int { reading, writing };
  bool free_for(int what) const {
    return !writer_ && (what == reading || readers_ == 0) && waiting_.empty();
  }
  bool take(int what, std::uint64_t nanoseconds);
  void let_in();

  node_lock inside_;
  thread_block* writer_ = nullptr;
  std::int64_t readers_ = 0;
  wait_queue waiting_;
};

}  // namespace terrane
