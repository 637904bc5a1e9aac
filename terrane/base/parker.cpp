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
  // Not the private form: the waker may be another process.
  syscall(SYS_futex, &state_, FUTEX_WAIT, parked, nanoseconds >= 0 ? &limit : nullptr, nullptr, 0);
  listen();
}

bool parker::wake_sleeper() {
  if (!take_sleeper()) return false;
  syscall(SYS_futex, &state_, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  return true;
}

void spin_lock::yield_core() { sched_yield(); }

}  // namespace terrane
