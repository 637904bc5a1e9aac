// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/wait_queue.hpp"

#include "terrane/thread/alarm_clock.hpp"

namespace terrane {

/// The alarm of a timed wait, on the stack of the thread that waits.
class wait_alarm final : public alarm_clock {
 public:
  wait_alarm(waiter& mine, node_lock& inside) : mine_(mine), inside_(inside) {}
  bool expired() const { return expired_; }
  void ring() override {
    {
      node_lock::hold state(inside_);
      if (!mine_.queue) return;  // popped already: the signal is under way
      mine_.queue->remove(mine_);
      expired_ = true;
    }
    wait_queue::wake(mine_);
  }

 private:
  waiter& mine_;
  node_lock& inside_;
  bool expired_ = false;
};

bool wait_queue::wait_added(waiter& mine, node_lock& inside, std::uint64_t nanoseconds,
                            const char* for_what) {
  if (nanoseconds == for_ever) {
    mine.who->block(for_what);
    return true;
  }
  wait_alarm alarm(mine, inside);
  mine.who->block_with_alarm(nanoseconds, alarm, for_what);
  return !alarm.expired();
}

}  // namespace terrane
