// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/ticks.hpp"

namespace terrane {

double ticks_per_ns() {
  static const double measured = [] {
#if defined(__x86_64__)
    constexpr std::uint64_t enough_ns = 2'000'000;
    const std::uint64_t first_ns = monotonic_ns(), first = read_ticks();
    std::uint64_t ns = 0;
    while (ns < enough_ns) ns = monotonic_ns() - first_ns;
    return static_cast<double>(read_ticks() - first) / static_cast<double>(ns);
#else
    return 1.0;
#endif
  }();
  return measured;
}

}  // namespace terrane
