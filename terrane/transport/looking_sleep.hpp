// SPDX-License-Identifier: Apache-2.0
// looking_sleep.hpp: where a processor sleeps beside a network that cannot wake it.
//
// Purpose     The processor looks at the network now and then: at first often, then more and more
//             seldom. So an answer that comes soon is found soon, and a run that only waits costs
//             little. While bytes are under way that only its turns move on, it looks all the time
//             for a millisecond, and beside others that want the core; then as seldom as before:
//             the other side may be stopped.
#pragma once

#include <sched.h>

#include <algorithm>
#include <cstdint>

#include "terrane/base/atomic.hpp"
#include "terrane/base/clock.hpp"
#include "terrane/base/futex.hpp"
#include "terrane/transport/poller.hpp"
#include "terrane/transport/wired_network.hpp"

namespace terrane {

class looking_sleep final : public sleeping_place {
 public:
  explicit looking_sleep(wired_network& at) : at_(at) {}

  void sleep(std::int64_t nanoseconds) override {
    const std::uint64_t begun = monotonic_ns();
    while (at_.is_moving() && monotonic_ns() - begun < moving_ns) {
      if (woken_.exchange(0, memory_order_seq_cst) != 0 || at_.turn()) return;
      sched_yield();
    }
    for (std::int64_t look = look_min_ns;; look = std::min(2 * look, look_max_ns)) {
      const auto passed = static_cast<std::int64_t>(monotonic_ns() - begun);
      if (nanoseconds >= 0 && passed >= nanoseconds) return;
      futex_wait(woken_, 0, nanoseconds < 0 ? look : std::min(look, nanoseconds - passed));
      if (woken_.exchange(0, memory_order_seq_cst) != 0 || at_.turn()) return;
    }
  }
  void wake() override {
    woken_.store(1, memory_order_seq_cst);
    futex_wake(woken_);
  }

 private:
  static constexpr std::int64_t look_min_ns = 20'000, look_max_ns = 2'000'000;
  static constexpr std::uint64_t moving_ns = 1'000'000;

  wired_network& at_;
  // A futex: wakers set it, the sleeper clears it.
  atomic<std::uint32_t> woken_{0};
};

}  // namespace terrane
