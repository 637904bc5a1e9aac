// SPDX-License-Identifier: Apache-2.0
// overflow.hpp: the program overflow: events at a fixed rate, until a monitor that reads them more
// slowly has no room left, or 30 seconds are over.
//
// Purpose  The monitor is the Testbed's, modelled: a slave's queue of 1,024 pairs of time stamp and
//          datum, the master's of 512 entries, which are 256 pairs, and a reader that takes READ_US
//          for a pair. The events are events of the run, too (terrane_event).
// Source   [TESTBED §2.2.4, §3.3.7, §A.5].
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/thread.hpp"

namespace terrane::programs {

inline constexpr operation testbed_us{"testbed_us", 1};

struct overflow_outcome {
  std::int64_t pairs = 0;
  std::uint64_t ns = 0;
  bool overflows = false;
};

inline overflow_outcome run_overflow(std::uint64_t gap_us, std::uint64_t read_us, std::int64_t room,
                                     std::uint64_t seconds) {
  overflow_outcome all;
  const std::uint64_t end_us = seconds * 1'000'000;
  std::uint64_t free_us = 0;  // when the reader has read all
  for (std::uint64_t us = 0; us < end_us; us += gap_us) {
    const std::uint64_t behind_us = free_us > us ? free_us - us : 0;
    if (static_cast<std::int64_t>((behind_us + read_us - 1) / read_us) >= room) {
      all.overflows = true;
      all.ns = us * 1000;
      return all;
    }
    free_us = us + behind_us + read_us;
    terrane_event(0, all.pairs++);
    charge(testbed_us, gap_us);
  }
  all.ns = end_us * 1000;
  return all;
}

inline int overflow_main(int argc, char** argv) {
  program_arguments given(argc, argv);
  const int gap = given.number("GAP_US", {.otherwise = 873, .least = 1, .most = 1'000'000});
  const int read = given.number("READ_US", {.otherwise = 907, .least = 1, .most = 1'000'000});
  const int room = given.number("ROOM", {.otherwise = 1280, .least = 1, .most = 1'000'000});
  const int seconds = given.number("SECONDS", {.otherwise = 30, .least = 1, .most = 100'000});
  if (!given.complete()) return 2;
  const overflow_outcome all =
      run_overflow(static_cast<std::uint64_t>(gap), static_cast<std::uint64_t>(read), room,
                   static_cast<std::uint64_t>(seconds));
  std::printf("overflow(%d) = %" PRId64 " pairs in %" PRIu64 " ms, %s\n", gap, all.pairs,
              all.ns / 1'000'000, all.overflows ? "full" : "not full");
  return 0;
}

}  // namespace terrane::programs
