// SPDX-License-Identifier: Apache-2.0
// member_meter.hpp: how long members of ropes run between two calls of balance().
//
// Cost        Two looks at the clock for each wait, from a rope's first balance() on.
// Method      A member begins when a wait for a message or a collective is over, or it has come to
//             this processor, and stops when the next begins. What other members have run in
//             between (it yielded, or waited for a lock) is theirs.
// Invariants  Only the processor where the thread is touches its load.
#pragma once

#include <algorithm>
#include <cstdint>

namespace terrane {

/// What a thread has run since its rope was last balanced.
struct member_load {
  bool is_measured = false;
  bool runs = false;
  std::uint64_t ran_ns = 0;
  std::uint64_t began_ns = 0, counted_before = 0;
};

/// Of a processor.
class member_meter {
 public:
  void begins(member_load& one, std::uint64_t now) const {
    one.runs = true;
    one.began_ns = now;
    one.counted_before = counted_ns_;
  }
  void stops(member_load& one, std::uint64_t now) {
    if (!one.runs) return;
    one.runs = false;
    const std::uint64_t passed = now - one.began_ns, of_others = counted_ns_ - one.counted_before;
    const std::uint64_t own = passed - std::min(passed, of_others);
    one.ran_ns += own;
    counted_ns_ += own;
  }

 private:
  std::uint64_t counted_ns_ = 0;  // of all members, while they were here
};

}  // namespace terrane
