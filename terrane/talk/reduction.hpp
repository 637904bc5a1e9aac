// SPDX-License-Identifier: Apache-2.0
// reduction.hpp: combines n values into one, round after round.
//
//   auto sum = reduction<long>::make(TERRANE_SUM, n, to_global(total), ref(there));
//   sum.put(mine);                                   // anywhere, n times a round
//
// Method      Values of the owner's node are combined there at once. Every other node has a branch
//             with one contribution under way at a time; values that come meanwhile are combined
//             into the next one. A contribution of more values than its round still takes is
//             refused. The branch keeps the values until they are accepted, and sends as many as
//             fit.
// Invariants  Values count in the order in which they reach the owner: each n are a round.
// Cost        A value from elsewhere: two messages, or a share of two.
// Source      docs/objects.md.
#pragma once

#include <concepts>

#include "terrane/c/objects.h"
#include "terrane/cpp/global.hpp"

namespace terrane {

template <wire_value T>
struct reduction {
  terrane_reduction raw{};

  /// On this processor. At every n-th value the result goes to `result`; then `done` is signalled.
  static reduction make(terrane_reduction_operation operation, int n, global<T> result,
                        slot_ref done)
    requires std::same_as<T, double> || (std::signed_integral<T> && sizeof(T) >= 4)
  {
    reduction made;
    constexpr auto type = std::same_as<T, double> ? TERRANE_DOUBLE
                          : sizeof(T) == 4        ? TERRANE_INT32
                                                  : TERRANE_INT64;
    terrane_reduction_new(&made.raw, operation, type, n, result.raw, done.raw);
    return made;
  }
  /// The same with a function of the program, which adds the second value to the first. It must be
  /// associative and commutative.
  template <void (*Combine)(T&, const T&)>
  static reduction make(int n, global<T> result, slot_ref done) {
    static_assert(alignof(T) <= 8, "a message is aligned to 8 bytes: take the value apart");
    reduction made;
    const auto combine = [](void* into, const void* value) {
      Combine(*static_cast<T*>(into), *static_cast<const T*>(value));
    };
    terrane_reduction_new_function(&made.raw, combine, sizeof(T), n, result.raw, done.raw);
    return made;
  }
  /// RED_PUT.
  void put(const T& value) const { terrane_reduction_put(raw, &value); }
  void free() const { terrane_reduction_free(raw); }
};
template <class T>
inline constexpr bool position_independent<reduction<T>> = true;

}  // namespace terrane
