// SPDX-License-Identifier: Apache-2.0
// testbed_work.hpp: what the Testbed's programs compute and send.
#pragma once

#include <array>
#include <cstdint>

#include "terrane/terrane.hpp"

namespace terrane::programs {

/// A millisecond of the Testbed: 1,200 instructions at 1.2 MIPS [TESTBED §2.1.1].
inline constexpr operation testbed_ms{"testbed_ms", 400};

/// The largest message of the Testbed's programs.
using long_message = std::array<unsigned char, 5000>;

/// Computes for so many of its milliseconds: declared in world `sim`, done everywhere. A time slice
/// may end after each.
inline void compute(int ms) {
  for (int done = 0; done < ms; ++done) {
    for (int i = 0; i < 300; ++i) asm volatile("");  // four instructions a turn
    charge(testbed_ms, 1);
  }
}

}  // namespace terrane::programs
