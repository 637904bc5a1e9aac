// SPDX-License-Identifier: Apache-2.0
// mutex.hpp: mutual exclusion by blocking or by spinning, and conditions.
//
//   mutex lock;
//   condition changed;
//   ...
//   std::unique_lock hold(lock);
//   changed.wait(hold, [&] { return !items.empty(); });
//
// Purpose     For threads of one node. Across nodes: talk/lock.hpp.
// Invariants  Fair: the thread that has waited longest is next. It is an error to lock
//             twice, to unlock a lock that another thread holds, or to end while holding one.
// Cost        Without contention a few plain instructions on nodes of one processor, two atomic
//             exchanges elsewhere.
// Source      [ACTIVE §4.2] (spinning and blocking mutual exclusion).
#pragma once

#include "terrane/thread/how_long.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

/// A thread that waits gives up its processor. Meets the standard's TimedLockable.
class mutex {
 public:
  mutex() = default;
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex();

  void lock() { try_lock_for(wait_queue::for_ever); }
  /// A lock that is held is refused by a look at it, which writes nothing that others read.
  bool try_lock() {
    thread_block& me = thread_block::current("lock of a mutex");
    return !owner() && take_within(me, 0);
  }
  /// False on timeout.
  bool try_lock_for(how_long time) {
    return take_within(thread_block::current("lock of a mutex"), time.nanoseconds());
  }
  template <chrono_time_point Time>
  bool try_lock_until(const Time& when) {
    return try_lock_for(how_long::until(when));
  }
  void unlock() {
    thread_block& me = thread_block::current("unlock of a mutex");
    node_lock::hold state(inside_);
    if (TERRANE_UNLIKELY(owner() != &me)) stranger(me);
    me.gives_back_lock();
    waiter* const next = waiting_.pop();
    owner_.store(next ? next->who : nullptr, memory_order_relaxed);
    if (TERRANE_LIKELY(!next)) return;
    state.let_go();
    wait_queue::wake(*next);
  }
  /// True if the calling thread holds the mutex. Needs no lock: only the holder could change that.
  bool held_by_me() const { return owner() == thread_block::current(); }

 private:
  thread_block* owner() const { return owner_.load(memory_order_relaxed); }
  bool take_within(thread_block& me, std::uint64_t nanoseconds) {
    node_lock::hold state(inside_);
    if (TERRANE_LIKELY(!owner())) {
      owner_.store(&me, memory_order_relaxed);
      me.takes_lock();
      return true;
    }
    if (nanoseconds == 0) return false;
    return wait_to_take(me, state, nanoseconds);
  }
  bool wait_to_take(thread_block& me, node_lock::hold& state, std::uint64_t nanoseconds);
  [[noreturn, gnu::cold]] void stranger(const thread_block& me) const;

  node_lock inside_;
  // Written under inside_, which orders all that the owner did. A try and held_by_me() read it
  // without: relaxed, since a try that is refused orders nothing, and only a thread itself makes
  // itself the owner or ends that.
  atomic<thread_block*> owner_{nullptr};
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

/// A std::unique_lock<mutex>, or what has a mutex as it does.
template <class Lock>
concept lock_of_mutex = requires(Lock& held) {
  { held.mutex() } -> std::same_as<mutex*>;
};

/// What calls a function when a token is told to stop (jthread.hpp knows that of the standard).
template <class StopToken, class Call>
struct stop_callback_of;

/// Waits for a change of what a mutex guards. Each wait takes the mutex, or a std::unique_lock of
/// it, either of which the thread holds; a timed wait takes nanoseconds or a std::chrono::duration.
class condition {
 public:
  condition() = default;
  condition(const condition&) = delete;
  condition& operator=(const condition&) = delete;

  /// Unlocks `held`, waits to be notified, and locks it again. The thread that has waited longest
  /// is notified first.
  void wait(mutex& held) { static_cast<void>(wait_unless(held, wait_queue::for_ever, nullptr)); }
  template <class Holds>
  void wait(mutex& held, Holds&& holds) {
    while (!holds()) wait(held);
  }
  /// False on timeout.
  bool wait_for(mutex& held, how_long time) {
    return wait_unless(held, time.nanoseconds(), nullptr);
  }
  /// Until `holds` returns true, or the time is over; returns what `holds` does then.
  template <class Holds>
  bool wait_for(mutex& held, how_long time, Holds&& holds) {
    const std::uint64_t end = time_at(time.nanoseconds());
    while (!holds())
      if (!wait_for(held, time_until(end))) return holds();
    return true;
  }
  /// Until `holds` returns true, or a std::stop_token is told to stop; returns what `holds` does
  /// then.
  template <class StopToken, class Holds>
    requires requires(const StopToken& token) { token.stop_requested(); }
  bool wait(mutex& held, StopToken token, Holds&& holds) {
    const auto notifies = [this] { notify_all(); };
    const typename stop_callback_of<StopToken, decltype(notifies)>::type tells(token, notifies);
    while (!holds()) {
      const auto stops = [&token] { return token.stop_requested(); };
      if (stops()) return holds();
      const is_so ends{&stops,
                       [](const void* it) { return (*static_cast<decltype(&stops)>(it))(); }};
      wait_unless(held, wait_queue::for_ever, &ends);
    }
    return true;
  }
  template <lock_of_mutex Lock, class... Rest>
  auto wait(Lock& held, Rest&&... rest) {
    return wait(*held.mutex(), std::forward<Rest>(rest)...);
  }
  template <lock_of_mutex Lock, class... Rest>
  bool wait_for(Lock& held, how_long time, Rest&&... rest) {
    return wait_for(*held.mutex(), time, std::forward<Rest>(rest)...);
  }
  template <class Lock, chrono_time_point Time, class... Rest>
  bool wait_until(Lock& held, const Time& when, Rest&&... rest) {
    return wait_for(held, how_long::until(when), std::forward<Rest>(rest)...);
  }
  void notify_one();
  void notify_all();

 private:
  /// A question that is asked under the lock of the queue.
  struct is_so {
    const void* about;
    bool (*answer)(const void* about);
  };
  /// Does not wait if `stops` says so (null: it never does). Who makes it so notifies afterwards;
  /// so either the question or the notification ends the wait.
  bool wait_unless(mutex& held, std::uint64_t nanoseconds, const is_so* stops);
  static std::uint64_t time_at(std::uint64_t nanoseconds);
  static std::uint64_t time_until(std::uint64_t end);

  node_lock inside_;
  wait_queue waiting_;
};

}  // namespace terrane
