// SPDX-License-Identifier: Apache-2.0
// latch.hpp: a latch and counting semaphores, in the words of the standard.
//
//   latch all_read(3);
//   ... all_read.count_down();          // in each of three threads
//   all_read.wait();
//
// Invariants  For threads of one node. The barrier of the standard is a `meeting` (meeting.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "terrane/thread/how_long.hpp"
#include "terrane/thread/permits.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

/// Opens once, when it has been counted down to 0.
class latch {
 public:
  explicit latch(std::int64_t expected) : left_(expected) {}
  latch(const latch&) = delete;
  latch& operator=(const latch&) = delete;

  /// May be called by a thread or a fiber.
  void count_down(std::int64_t by = 1) {
    const node_lock::hold state(inside_);
    count(by);
  }
  bool try_wait() const {
    const node_lock::hold state(inside_);
    return left_ <= 0;
  }
  void wait() { arrive_and_wait(0); }
  void arrive_and_wait(std::int64_t by = 1) {
    thread_block& me = thread_block::current("a latch");
    node_lock::hold state(inside_);
    count(by);
    if (left_ <= 0) return;
    waiter mine(me);
    waiting_.wait(mine, state, "a latch");
  }

 private:
  void count(std::int64_t by) {
    left_ -= by;
    if (left_ > 0) return;
    while (waiter* const next = waiting_.pop()) wait_queue::wake(*next);
  }

  mutable node_lock inside_;
  std::int64_t left_;
  wait_queue waiting_;
};

/// `permits` by the names of the standard. Fair.
template <std::ptrdiff_t Most = std::numeric_limits<std::ptrdiff_t>::max()>
class counting_semaphore {
 public:
  explicit counting_semaphore(std::ptrdiff_t first) : free_(first) {}
  static constexpr std::ptrdiff_t max() { return Most; }
  void acquire() { free_.take(); }
  bool try_acquire() { return free_.try_take(); }
  bool try_acquire_for(how_long time) { return free_.try_take_for(time); }
  template <chrono_time_point Time>
  bool try_acquire_until(const Time& when) {
    return free_.try_take_for(how_long::until(when));
  }
  void release(std::ptrdiff_t how_many = 1) { free_.give(how_many); }

 private:
  permits free_;
};
using binary_semaphore = counting_semaphore<1>;

}  // namespace terrane
