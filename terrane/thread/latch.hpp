// SPDX-License-Identifier: Apache-2.0
// latch.hpp: a latch, in the words of the standard.
//
//   latch all_read(3);
//   ... all_read.count_down();          // in each of three threads
//   all_read.wait();
//
// Invariants  For threads of one node. The barrier of the standard is a `meeting` (meeting.hpp).
#pragma once

#include <cstdint>

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
    waiting_.wake_all();
  }

  mutable node_lock inside_;
  std::int64_t left_;
  wait_queue waiting_;
};

}  // namespace terrane
