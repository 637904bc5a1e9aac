// SPDX-License-Identifier: Apache-2.0
// barrier.hpp: n activations wait for one another, again and again.
//
//   barrier all = barrier::make(n);                  // travels in tokens
//   all.wait(ref(mine));                             // signals the slot once n have called
//
// Method      A combining tree of degree 4 over nodes: barrier.md.
// Cost        If the same nodes call in every round: one message up and one down each edge of the
//             tree, for each round.
// Source      docs/objects.md.
#pragma once

#include "terrane/c/objects.h"
#include "terrane/cpp/slot.hpp"

namespace terrane {

struct barrier {
  terrane_barrier raw{};

  /// On this processor.
  static barrier make(int n) {
    barrier made;
    terrane_barrier_new(&made.raw, n, 0);
    return made;
  }
  /// BAR_SYNC: `go` is signalled once n have called this; the next n are the next round.
  void wait(slot_ref go) const { terrane_barrier_wait(raw, go.raw); }
  /// R-265 if somebody waits.
  void free() const { terrane_barrier_free(raw); }
};
template <>
inline constexpr bool position_independent<barrier> = true;

}  // namespace terrane
