// SPDX-License-Identifier: Apache-2.0
// give_way.hpp: what a thread does between two looks at something that another thread will change.
#pragma once

#include <sched.h>

#include "terrane/base/atomic.hpp"

namespace terrane {

/// looks: how many there were. It pauses first; later it yields the core, because the other thread
/// may have been preempted.
inline void give_way(int looks) {
  if (looks < 64)
    pause_core();
  else
    sched_yield();
}

}  // namespace terrane
