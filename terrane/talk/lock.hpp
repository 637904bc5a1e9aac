// SPDX-License-Identifier: Apache-2.0
// lock.hpp: held by one activation at a time, in the order of asking.
//
//   lock door = lock::make();                        // travels in tokens
//   door.take(ref(mine));                            // signals the slot once it is held
//   door.give();
//
// Source  docs/objects.md.
#pragma once

#include "terrane/c/objects.h"
#include "terrane/cpp/slot.hpp"

namespace terrane {

struct lock {
  terrane_lock raw{};

  /// On this processor.
  static lock make() {
    lock made;
    terrane_lock_new(&made.raw, 0);
    return made;
  }
  /// LOCK_SYNC: `got` is signalled once the caller holds it.
  void take(slot_ref got) const { terrane_lock_take(raw, got.raw); }
  /// UNLOCK: R-264 if nobody holds it.
  void give() const { terrane_lock_give(raw); }
  /// R-265 if somebody waits for it.
  void free() const { terrane_lock_free(raw); }
};
template <>
inline constexpr bool position_independent<lock> = true;

}  // namespace terrane
