// SPDX-License-Identifier: Apache-2.0
// istruct.hpp: elements that are written once and read at any time, also before they are written.
//
//   auto row = istruct<long>::make(100);             // travels in tokens
//   row.read(7, mine, ref(there));                   // anywhere, any time
//   row.write(7, 42);                                // anywhere, once
//
// Method      The owner keeps the elements and defers the readers of those that have no value yet.
//             Every other node has a branch that caches what it has read, block by block. A written
//             element never changes, so nothing is ever invalidated; elements without a value are
//             not cached. However many readers of one element wait on a node, one request is under
//             way.
// Source      docs/objects.md; [EARTH-SMP §6].
#pragma once

#include "terrane/c/objects.h"
#include "terrane/cpp/global.hpp"

namespace terrane {

template <wire_value T>
struct istruct {
  terrane_istruct raw{};

  /// On this processor, none with a value.
  static istruct make(std::uint32_t elements) {
    istruct made;
    terrane_istruct_new(&made.raw, elements, sizeof(T), 0);
    return made;
  }
  /// I_READ_SYNC: once it has a value, that goes to `to`, on this processor.
  void read(std::uint32_t index, T& to, slot_ref done) const {
    terrane_istruct_read(raw, index, terrane_to_global(&to), done.raw);
  }
  void read(std::uint32_t index, global<T> to, slot_ref done) const {
    terrane_istruct_read(raw, index, to.raw, done.raw);
  }
  /// I_WRITE: R-260 if it has a value.
  void write(std::uint32_t index, const T& value) const {
    terrane_istruct_write(raw, index, &value);
  }
  void free() const { terrane_istruct_free(raw); }
};
template <class T>
inline constexpr bool position_independent<istruct<T>> = true;

}  // namespace terrane
