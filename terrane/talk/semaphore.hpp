// SPDX-License-Identifier: Apache-2.0
// semaphore.hpp: a count of permits, given out in the order of asking.
//
//   semaphore room = semaphore::make(4);
//   room.take(ref(mine));
//   room.give();
//
// Source  docs/objects.md.
#pragma once

#include "terrane/c/objects.h"
#include "terrane/cpp/slot.hpp"

namespace terrane {

struct semaphore {
  terrane_semaphore raw{};

  /// On this processor.
  static semaphore make(int permits) {
    semaphore made;
    terrane_semaphore_new(&made.raw, permits, 0);
    return made;
  }
  /// P_SYNC: `got` is signalled once the caller has a permit.
  void take(slot_ref got) const { terrane_semaphore_take(raw, got.raw); }
  /// V: one permit more.
  void give() const { terrane_semaphore_give(raw); }
  /// R-265 if somebody waits for a permit.
  void free() const { terrane_semaphore_free(raw); }
};
template <>
inline constexpr bool position_independent<semaphore> = true;

}  // namespace terrane
