// SPDX-License-Identifier: Apache-2.0
// permits.hpp: permits that threads of one node take and give: a counting semaphore, by its own
// names and by those of the standard.
//
//   permits free_buffers(8);
//   free_buffers.take();
//   ...
//   free_buffers.give();
//
// Invariants  Fair: a permit that is given goes to the thread that has waited longest. Across
//             nodes: talk/semaphore.hpp.
// Source      [ACTIVE §4.2].
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "terrane/thread/how_long.hpp"
#include "terrane/thread/wait_queue.hpp"

namespace terrane {

class permits {
 public:
  explicit permits(std::int64_t first) : free_(first) {}
  permits(const permits&) = delete;
  permits& operator=(const permits&) = delete;

  void take() { static_cast<void>(take_within(wait_queue::for_ever)); }
  bool try_take() { return take_within(0); }
  /// False on timeout.
  bool try_take_for(how_long time) { return take_within(time.nanoseconds()); }
  /// May be called by a thread or a fiber.
  void give(std::int64_t how_many = 1) {
    node_lock::hold state(inside_);
    for (; how_many > 0; --how_many) {
      waiter* const next = waiting_.pop();
      if (!next) break;
      wait_queue::wake(*next);
    }
    free_ += how_many;
  }

 private:
  bool take_within(std::uint64_t nanoseconds) {
    node_lock::hold state(inside_);
    if (TERRANE_LIKELY(free_ > 0)) {
      --free_;
      return true;
    }
    if (nanoseconds == 0) return false;
    waiter mine(thread_block::current("take of a permit"));
    return waiting_.wait_for(mine, state, nanoseconds, "a permit");
  }

  node_lock inside_;
  std::int64_t free_;
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
