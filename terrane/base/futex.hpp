// SPDX-License-Identifier: Apache-2.0
// futex.hpp: the kernel's: a thread sleeps as long as a word of memory, which processes may share,
// holds a value.
#pragma once

#include "terrane/base/atomic.hpp"

#ifndef TERRANE_ATOMICS  // which bring their own

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>

namespace terrane {

/// Returns at once if another value than `expected` is there, else at a wake, at the deadline
/// (nanoseconds from now; negative: none), or spuriously.
inline void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected,
                       std::int64_t nanoseconds) {
  timespec limit{};
  if (nanoseconds >= 0) {
    limit.tv_sec = nanoseconds / 1'000'000'000;
    limit.tv_nsec = nanoseconds % 1'000'000'000;
  }
  // Not the private form: the waker may be another process.
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, nanoseconds >= 0 ? &limit : nullptr, nullptr, 0);
}

/// Wakes that many, one unless said.
inline void futex_wake(atomic<std::uint32_t>& word, int threads = 1) {
  syscall(SYS_futex, &word, FUTEX_WAKE, threads, nullptr, nullptr, 0);
}

}  // namespace terrane

#endif
