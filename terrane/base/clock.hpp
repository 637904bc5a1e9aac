// SPDX-License-Identifier: Apache-2.0
// clock.hpp: the host's monotonic clock; times as people read them.
#pragma once

#include <time.h>

#include <cstdint>

namespace terrane {

inline std::uint64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

inline double in_seconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1e9;
}

}  // namespace terrane
