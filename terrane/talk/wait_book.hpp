// SPDX-License-Identifier: Apache-2.0
// wait_book.hpp: who waited how long for whom, and how much of it other work hid (--waits).
//
// Method      A wait counts for the thread that ended it: the sender of what was received; before
//             that is known, the thread that was named. A wait for several transfers counts for the
//             first that was not done. Hidden is the time in which the waiting thread's processor
//             neither idled, nor took messages, nor balanced: it ran something else. Threads that
//             look for their messages themselves (--recv-wait) hide nothing.
// Invariants  Only its processor touches it. A thread does not move while it waits.
// Cost        Two looks at the clock for each wait, and a look-up. Without --waits: nothing.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "terrane/talk/transfer.hpp"

namespace terrane {

struct wait_key {
  terrane_slot_ref who, whom;
  transfer::kind what;
  const char* file;
  std::uint32_t line;
  auto operator<=>(const wait_key&) const = default;
};
struct wait_sum {
  std::string who, whom, where;  // as they are printed
  std::uint64_t times = 0, waited_ns = 0, hidden_ns = 0;
};

using wait_book = std::map<wait_key, wait_sum>;

}  // namespace terrane
