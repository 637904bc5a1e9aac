// SPDX-License-Identifier: Apache-2.0
// meeting.hpp: threads of one node that wait for one another: a barrier, and a task that is done
// once.
#pragma once

#include <cstdint>
#include <utility>

#include "terrane/thread/wait_queue.hpp"

namespace terrane {

/// A barrier for a fixed number of threads of a node, round after round. Across nodes:
/// talk/barrier.hpp.
class meeting {
 public:
  explicit meeting(std::int64_t threads) : threads_(threads) {}
  meeting(const meeting&) = delete;
  meeting& operator=(const meeting&) = delete;

  /// Returns when all threads have come; true for the one that came last.
  bool arrive_and_wait() {
    thread_block& me = thread_block::current("a meeting");
    node_lock::hold state(inside_);
    if (++here_ == threads_) {
      begin_round();
      return true;
    }
    waiter mine(me);
    waiting_.wait(mine, state, "a meeting");
    return false;
  }
  /// Comes no more: the others meet without this thread.
  void arrive_and_drop() {
    const node_lock::hold state(inside_);
    if (here_ == --threads_) begin_round();
  }

 private:
  void begin_round() {
    here_ = 0;
    waiting_.wake_all();
  }

  node_lock inside_;
  std::int64_t threads_;
  std::int64_t here_ = 0;
  wait_queue waiting_;
};

/// A task that is done once: the first thread that calls does it; threads that call meanwhile wait.
class once {
 public:
  once() = default;
  once(const once&) = delete;
  once& operator=(const once&) = delete;

  /// Returns when `task` has been done. If it throws, the thread that ran it gets the exception,
  /// and the thread that has waited longest tries next.
  template <class F>
  void call(F&& task) {
    if (!claim()) return;
    try {
      std::forward<F>(task)();
    } catch (...) {
      settle(false);
      throw;
    }
    settle(true);
  }

 private:
  /// True for the thread that must do the task.
  bool claim() {
    // acquire pairs with the release in settle: the effects of the task are visible.
    if (done_.load(memory_order_acquire)) return false;
    thread_block& me = thread_block::current("once");
    node_lock::hold state(inside_);
    if (done_.load(memory_order_relaxed)) return false;
    if (!under_way_) return under_way_ = true;
    waiter mine(me);
    waiting_.wait(mine, state, "what is done once");
    return !done_.load(memory_order_acquire);  // not done: it threw, and this thread is next
  }
  void settle(bool done) {
    node_lock::hold state(inside_);
    done_.store(done, memory_order_release);
    if (!done) {
      // If a thread waits, it tries next, and the task stays under way.
      waiter* const next = waiting_.pop();
      under_way_ = next != nullptr;
      if (next) wait_queue::wake(*next);
      return;
    }
    waiting_.wake_all();
  }

  node_lock inside_;
  atomic<bool> done_{false};
  bool under_way_ = false;
  wait_queue waiting_;
};

}  // namespace terrane
