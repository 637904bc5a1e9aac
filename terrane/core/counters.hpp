// SPDX-License-Identifier: Apache-2.0
// counters.hpp: a processor's event counts and its division of time. Only its own thread writes
// them.
#pragma once

#include <cstdint>

namespace terrane {

/// In nanoseconds. The rest of the time was spent running fibers.
struct time_split {
  std::uint64_t balance = 0;    // in balancing policies, and moving tokens for them
  std::uint64_t poll = 0;       // receiving messages
  std::uint64_t idle = 0;       // looking for work, spinning or asleep
  std::uint64_t switching = 0;  // choosing the next fiber or token: sampled, one choice in 1024
};

struct counters {
  std::uint64_t messages_sent = 0;
  std::uint64_t bytes_sent = 0;
  std::uint64_t tokens_from_pool = 0;
  std::uint64_t letters_sent_on = 0;               // messages for threads that had moved
  std::uint64_t members_moved = 0;                 // by balance() of their rope, to this processor
  std::uint64_t cache_hits = 0, cache_misses = 0;  // reads of elements of other nodes' I-structures
  // sleeps that ended by their own limit (--longest-sleep) while there was something to do: nobody
  // had woken the processor for it
  std::uint64_t late_wake_ups = 0;
};

}  // namespace terrane
