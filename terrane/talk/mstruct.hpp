// SPDX-License-Identifier: Apache-2.0
// mstruct.hpp: elements that are full or empty. Taking one empties it, which locks it until a value
// is put back.
//
//   auto cells = mstruct<long>::make(100);           // all empty; travels in tokens
//   cells.put(7, 1);
//   cells.take(7, mine, ref(there));                 // the oldest request gets the next value
//
// Source  docs/objects.md.
#pragma once

#include "terrane/c/objects.h"
#include "terrane/cpp/global.hpp"

namespace terrane {

template <wire_value T>
struct mstruct {
  terrane_mstruct raw{};

  /// On this processor, all empty.
  static mstruct make(std::uint32_t elements) {
    mstruct made;
    terrane_mstruct_new(&made.raw, elements, sizeof(T), 0);
    return made;
  }
  /// M_TAKE_SYNC: once it is full its value goes to `to`, on this processor.
  void take(std::uint32_t index, T& to, slot_ref done) const {
    terrane_mstruct_take(raw, index, terrane_to_global(&to), done.raw);
  }
  void take(std::uint32_t index, global<T> to, slot_ref done) const {
    terrane_mstruct_take(raw, index, to.raw, done.raw);
  }
  /// M_PUT: R-260 if it is full.
  void put(std::uint32_t index, const T& value) const { terrane_mstruct_put(raw, index, &value); }
  void free() const { terrane_mstruct_free(raw); }
};
template <class T>
inline constexpr bool position_independent<mstruct<T>> = true;

}  // namespace terrane
