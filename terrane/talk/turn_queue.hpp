// SPDX-License-Identifier: Apache-2.0
// turn_queue.hpp: permits and those who wait for them, first come first served: the common part of
// locks and semaphores.
#pragma once

#include "terrane/base/ring_queue.hpp"
#include "terrane/core/object.hpp"

namespace terrane {

class turn_queue {
 public:
  explicit turn_queue(std::int64_t permits) : permits_(permits) {}

  void take(terrane_slot_ref got) {
    if (permits_ == 0) return waiting_.push_back(got);
    --permits_;
    signal_if(got);
  }
  void give() {
    if (waiting_.empty())
      ++permits_;
    else
      signal_if(waiting_.pop_front());
  }
  std::int64_t permits() const { return permits_; }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  std::int64_t permits_;
  ring_queue<terrane_slot_ref> waiting_;  // only while there are no permits
};

}  // namespace terrane
