// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/parker.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "terrane/base/spin_lock.hpp"

namespace terrane {

void parker::sleep(std::int64_t nanoseconds) {
  timespec limit{};
  if (nanoseconds >= 0) {
    limit.tv_sec = nanoseconds / 1'000'000'000;
    limit.tv_nsec = nanoseconds % 1'000'000'000;
  }
  syscall(SYS_futex, &parked_, FUTEX_WAIT_PRIVATE, 1, nanoseconds >= 0 ? &limit : nullptr, nullptr,
          0);
  cancel();
}

bool parker::wake_sleeper() {
  if (parked_.exchange(0, memory_order_seq_cst) == 0) return false;  // somebody else woke it
  syscall(SYS_futex, &parked_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  return true;
}

void spin_lock::yield_core() { sched_yield(); }

}  // namespace terrane
