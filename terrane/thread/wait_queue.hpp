// SPDX-License-Identifier: Apache-2.0
// wait_queue.hpp: a queue of threads of one node that wait, first come first served: the common
// part of all locks.
//
//   node_lock::hold state(inside_);
//   if (!free_) {
//     waiter mine(me);
//     waiting_.wait(mine, state, "a thing");      // unlocks inside_, and waits
//     return;                                     // the thread that popped us handed it over
//   }
//
// Invariants  A queue and what it guards are touched under one node_lock. A waiter lies on the
//             stack of its thread, which stays blocked until the waiter has been popped and
//             signalled; nobody reads it after that. If the thread belongs to another processor the
//             signal is a message, and orders memory as every message does.
// Argument    A timed wait ends once: the unlocking thread and the alarm both remove the waiter
//             from the queue under the lock, and the second of the two finds it removed.
#pragma once

#include <cstdint>

#include "terrane/base/spin_lock.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

/// Guards a few words that the processors of one node share. On a node of one processor it does
/// nothing: threads switch only where they block.
class node_lock {
 public:
  class hold {
   public:
    explicit hold(node_lock& what) : what_(what) { take(); }
    ~hold() {
      if (held_) let_go();
    }
    hold(const hold&) = delete;
    hold& operator=(const hold&) = delete;
    void let_go() {
      held_ = false;
      if (shared_) what_.lock_.unlock();
    }

    node_lock& lock() const { return what_; }

   private:
    void take() {
      if (TERRANE_UNLIKELY(shared_)) what_.lock_.lock();
    }
    node_lock& what_;
    const bool shared_ = here().processors_per_node() != 1;
    bool held_ = true;
  };

 private:
  spin_lock lock_;
};

class wait_queue;

/// One thread in a queue.
struct waiter {
  explicit waiter(thread_block& blocks, int wants_what = 0) : who(&blocks), wants(wants_what) {}
  thread_block* const who;
  const int wants;  // what it waits for, if a queue serves several purposes
  terrane_slot_ref slot = 0;
  waiter *next = nullptr, *before = nullptr;
  wait_queue* queue = nullptr;  // the queue that holds it; null: none
};

class wait_queue {
 public:
  static constexpr std::uint64_t for_ever = ~std::uint64_t{0};

  bool empty() const { return !first_; }
  waiter* front() const { return first_; }
  /// Removes the waiter that has waited longest; the caller must wake() it. Null: nobody waits.
  waiter* pop() {
    if (first_) {
      waiter* const oldest = first_;
      remove(*oldest);
      return oldest;
    }
    return nullptr;
  }
  /// Ends the wait. From here on its thread may run, and the waiter may be destroyed.
  static void wake(const waiter& popped) { terrane_signal(popped.slot); }
  /// Pops and wakes all that wait; called under the lock.
  void wake_all() {
    while (const waiter* const next = pop()) wake(*next);
  }

  /// Waits at the end of the queue until popped and woken. Unlocks `state`, and does not lock it
  /// again.
  void wait(waiter& mine, node_lock::hold& state, const char* for_what) {
    add(mine);
    state.let_go();
    mine.who->block(for_what);
  }
  /// The same for at most this many nanoseconds: false on timeout.
  bool wait_for(waiter& mine, node_lock::hold& state, std::uint64_t nanoseconds,
                const char* for_what) {
    add(mine);
    state.let_go();
    return wait_added(mine, state.lock(), nanoseconds, for_what);
  }

  // The two halves of a wait, for callers with something to do in between.
  /// Adds a waiter at the end of the queue; called under the lock.
  void add(waiter& mine) { add(mine, mine.who->expect()); }
  /// The same for one that waits in several queues: whoever wakes it signals this slot, once.
  void add(waiter& mine, terrane_slot_ref slot) {
    mine.slot = slot;
    mine.queue = this;
    mine.before = last_;
    (last_ ? last_->next : first_) = &mine;
    last_ = &mine;
  }
  /// Waits for a waiter that was added; called without the lock. False on timeout.
  static bool wait_added(waiter& mine, node_lock& inside, std::uint64_t nanoseconds,
                         const char* for_what);
  /// Takes the waiter from its queue, if it is still there; called under the lock.
  static void withdraw(waiter& mine) {
    if (mine.queue) mine.queue->remove(mine);
  }

 private:
  friend class wait_alarm;
  void remove(waiter& leaves) {
    (leaves.before ? leaves.before->next : first_) = leaves.next;
    (leaves.next ? leaves.next->before : last_) = leaves.before;
    leaves.queue = nullptr;
  }

  waiter *first_ = nullptr, *last_ = nullptr;
};

}  // namespace terrane
