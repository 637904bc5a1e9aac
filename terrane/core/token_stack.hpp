// SPDX-License-Identifier: Apache-2.0
// token_stack.hpp: the cold half of a processor's private token stack, [bottom, top) of
// terrane_processor: room, and tokens that leave at the old end.
//
// Invariants  A kept token (a future's) stays where it was pushed until its owner asks for it there
//             (then it is the newest, or leaves a dead place), or until it leaves at the old end.
//             Hence its owner finds out with two comparisons whether it still has the token. A
//             place below bottom is dead, or holds a taken_token that was not asked for yet; such a
//             place is not used again. Other tokens may move.
// Cost        Places are given back when the stack is empty, beginning at its end: each one once.
#pragma once

#include <cstddef>

#include "terrane/core/token.hpp"

namespace terrane {

class token_stack {
 public:
  /// memory: room for tokens_max tokens, aligned to 64; it is not touched before it is used.
  token_stack(terrane_processor& owner, void* memory, std::size_t tokens_max);

  /// The place at which a push has to make room first.
  terrane_token* end() const { return end_; }
  /// Makes room for at least one more token; R-240 if there is no memory. The caller must set the
  /// marks again.
  void make_room();

  /// Removes dead places at both ends.
  void trim();
  /// Moves the oldest token to `into`. Call only if there is one, after trim().
  void take_oldest(terrane_token& into);
  /// Asks for the kept token at that place, if it is in [bottom, top), and removes the dead places
  /// at the new end. The caller reads the token's values before it spawns anything.
  bool take_older(terrane_token* place) {
    terrane_token* newest = owner_.top;
    if (place < owner_.bottom || place >= newest) return false;
    place->function = &dead_token;
    while (newest != owner_.bottom && newest[-1].function == &dead_token) --newest;
    owner_.top = newest;
    return true;
  }
  /// Call when the token that was kept at that place has been asked for. If the stack is empty and
  /// the place lies below it, the dead places there are free again: then the caller must set the
  /// marks again.
  void give_up(terrane_token& place);

  /// True while a kept token, or one that was taken, has not been asked for by its owner.
  bool holds_kept() const;
  /// Takes the newest token that is `wanted`; `wanted` must not accept a kept token. False: there
  /// is none.
  template <class Wanted>
  bool take_newest(terrane_token& into, Wanted&& wanted) {
    for (terrane_token* place = owner_.top; place != owner_.bottom;) {
      if ((--place)->function == &dead_token || !wanted(*place)) continue;
      into = *place;
      place->function = &dead_token;
      trim();
      return true;
    }
    return false;
  }

  std::size_t size() const { return static_cast<std::size_t>(owner_.top - owner_.bottom); }

  /// Shows other threads how many there are. A spawn and a join do not: they must cost nothing
  /// more. So what others see is as old as the last turn, or the last spawn that a mark has
  /// stopped, and such a spawn comes whenever the node's pool wants tokens.
  void show() {
    // relaxed: others read it only as a hint of this processor's load.
    TERRANE_STORE_RELAXED(&owner_.shown, static_cast<std::uint32_t>(size()));
  }

 private:
  bool move_down();
  void set_ends(terrane_token* bottom, terrane_token* top);

  terrane_processor& owner_;
  terrane_token* const base_;
  terrane_token* const end_max_;
  terrane_token* end_;
};

}  // namespace terrane
