// SPDX-License-Identifier: Apache-2.0
// mutex.hpp: mutual exclusion by blocking or by spinning, and conditions.
//
//   mutex lock;
//   condition changed;
//   ...
//   std::lock_guard hold(lock);
//   while (items.empty()) changed.wait(lock);
//
// Purpose     For threads of one node. Across nodes: talk/lock.hpp.
// Invariants  Fair: the thread that has waited longest is next. It is an error to lock
//             twice, to unlock a lock that another thread holds, or to end while holding one.
// Cost        Without contention a few plain instructions on nodes of one processor, two atomic
//             exchanges elsewhere.
// Source      [ACTIVE §4.2] (spinning and blocking mutual exclusion).
#pragma once

#include "terrane/thread/wait_queue.hpp"

namespace terrane {

/// A thread that waits gives up its processor. Meets the standard's TimedLockable, but with
/// nanoseconds.
class mutex {
 public:
  mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex();

  void lock() { static_cast<void>(take_within(wait_queue::for_ever)); }
  bool try_lock() { return take_within(0); }
  /// False on timeout.
  bool try_lock_for(std::uint64_t nanoseconds) { return take_within(nanoseconds); }
  void unlock() {
    thread_block& me = thread_block::current("unlock of a mutex");
    node_lock::hold state(inside_);
    if (TERRANE_UNLIKELY(owner_ != &me)) stranger(me);
    me.gives_back_lock();
    waiter* const next = waiting_.pop();
    owner_ = next ? next->who : nullptr;
    if (TERRANE_LIKELY(!next)) return;
    state.let_go();
    wait_queue::wake(*next);
  }
  /// True if the calling thread holds the mutex. Needs no lock: only the holder could change that.
  bool held_by_me() const { return owner_ == thread_block::current(); }

 private:
  bool take_within(std::uint64_t nanoseconds) {
    thread_block& me = thread_block::current("lock of a mutex");
    node_lock::hold state(inside_);
    if (TERRANE_LIKELY(!owner_)) {
      owner_ = &me;
      me.takes_lock();
      return true;
    }
    if (nanoseconds == 0) return false;
    return wait_to_take(me, state, nanoseconds);
  }
  bool wait_to_take(thread_block& me, node_lock::hold& state, std::uint64_t nanoseconds);
  [[noreturn, gnu::cold]] void stranger(const thread_block& me) const;

  node_lock inside_;
  thread_block* owner_ = nullptr;
  wait_queue waiting_;
};

/// For sections that are shorter than a switch: a thread that waits spins for a moment, then yields
/// and looks again. Fair by tickets. Meets the standard's Lockable.
class spin_mutex {
 public:
  spin_mutex() = default;
  spin_mutex(const spin_mutex&) = delete;
  spin_mutex& operator=(const spin_mutex&) = delete;

  void lock();
  bool try_lock();
  void unlock();

 private:
  void taken_by(thread_block& me) {
    owner_.store(&me, memory_order_relaxed);
    me.takes_lock();
  }
  // The next ticket. Threads that lock add to it; relaxed, since serving_ orders memory.
  atomic<std::uint32_t> next_ticket_{0};
  // The ticket that holds the lock. The holder writes it with release; the next holder reads it
  // with acquire, and so sees all that was written under the lock.
  atomic<std::uint32_t> serving_{0};
  atomic<thread_block*> owner_{nullptr};  // for the checks for misuse only
};

/// Waits for a change of what a mutex guards.
class condition {
 public:
  condition() = default;
  condition(const condition&) = delete;
  condition& operator=(const condition&) = delete;

  /// Unlocks `held`, waits to be notified, and locks it again. The thread that has waited longest
  /// is notified first.
  void wait(mutex& held) { static_cast<void>(wait_for(held, wait_queue::for_ever)); }
  template <class Holds>
  void wait(mutex& held, Holds&& holds) {
    while (!holds()) wait(held);
  }
  /// False on timeout.
  bool wait_for(mutex& held, std::uint64_t nanoseconds);
  void notify_one();
  void notify_all();

 private:
  node_lock inside_;
  wait_queue waiting_;
};

}  // namespace terrane
