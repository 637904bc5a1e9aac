// SPDX-License-Identifier: Apache-2.0
// outside_requests.hpp: what threads and fibers of this process await from outside the machine, and
// what nobody announces: it has to be asked again and again (core/crew.hpp).
//
// Invariants  One thread at a time asks. Where only the first processor's thread may ask, the
//             others leave it to that.
// Argument    A processor that is about to sleep while something is awaited sleeps for some
//             microseconds only, and is then idle again. So it is asked as long as anybody is idle;
//             a busy processor asks at intervals, as it asks for all that comes from outside.
#pragma once

#include <sched.h>
#include <time.h>

#include <mutex>
#include <span>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/base/spin_lock.hpp"
#include "terrane/core/crew.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/transport/poller.hpp"

namespace terrane {

class outside_requests final : public poller {
 public:
  /// first_alone: only the thread of this process's first processor may ask.
  explicit outside_requests(bool first_alone) : first_alone_(first_alone) {}

  void add(const outside_request& one) {
    const std::lock_guard hold(lock_);
    waiting_.push_back(one);
    count_.fetch_add(1, memory_order_seq_cst);
  }
  bool any() const { return count_.load(memory_order_seq_cst) != 0; }
  bool asks(const processor& here) const { return !first_alone_ || &here == first_; }
  processor& first() const { return *first_; }

  void begin(std::span<processor* const> processors) override { first_ = processors.front(); }
  bool has_news(const processor& here) override {
    if (!any() || !asks(here) || !lock_.try_lock()) return false;
    const std::lock_guard hold(lock_, std::adopt_lock);
    std::erase_if(waiting_, [this](const outside_request& each) {
      if (!each.is_done(each.about)) return false;
      done_.push_back(each.done);
      return true;
    });
    return !done_.empty();
  }
  void take(processor&) override {
    std::vector<terrane_slot_ref> done;
    {
      const std::lock_guard hold(lock_);
      done.swap(done_);
    }
    for (const terrane_slot_ref each : done) {
      terrane_signal(each);
      count_.fetch_sub(1, memory_order_seq_cst);  // after the signal: until then the run goes on
    }
  }
  bool prepare_sleep(processor& here) override {
    if (!any() || !asks(here)) return true;
    if (has_news(here)) return false;
    constexpr timespec a_moment{0, 20'000};
    nanosleep(&a_moment, nullptr);
    return false;
  }

 private:
  const bool first_alone_;
  processor* first_ = nullptr;
  // Any thread raises it, whoever signals lowers it; read without the lock. seq_cst: far from any
  // hot path.
  atomic<std::uint32_t> count_{0};
  spin_lock lock_;
  // under lock_
  std::vector<outside_request> waiting_;
  std::vector<terrane_slot_ref> done_;
};

}  // namespace terrane
