// SPDX-License-Identifier: Apache-2.0
// token_stack.hpp: the cold half of a processor's private token stack, [bottom, top) of
// terrane_processor: room, and tokens that leave at the old end.
//
// Invariants  A kept token (a future's) stays where it was pushed until its owner asks for it there
//             (then it is the newest, or leaves a dead place), or leaves at the old end: so its
//             owner asks two compares whether it still has it. What lies below bottom is dead, or a
//             taken_token that was not asked for yet; such a place is not used again. Other tokens
//             may move.
// Cost        Places are given back when the stack is empty, from its end on: each once.
#pragma once

#include <cstddef>

#include "terrane/core/token.hpp"

namespace terrane {

class token_stack {
 public:
  /// memory: for as many tokens, aligned to 64, not touched before it is used.
  token_stack(terrane_processor& owner, void* memory, std::size_t tokens_max);

  /// Where the next push has to make room first.
  terrane_token* end() const { return end_; }
  /// Room for at least one more; R-240 when there is none. The marks are to be set anew.
  void make_room();

  /// No dead place at either end.
  void trim();
  /// The oldest token leaves to `into`. Only when there is one, after trim().
  void take_oldest(terrane_token& into);
  /// What was kept there has been asked for. If the stack is empty and the place lay below, the
  /// dead ones there are free again: the marks are to be set anew.
  void give_up(terrane_token& place);

  /// True while a kept token, or one that was taken, has not been asked for.
  bool holds_kept() const;
  /// Takes out the newest that is `wanted`, which must not be a kept one. False: there is none.
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

 private:
  bool move_down();
  void set_ends(terrane_token* bottom, terrane_token* top);

  terrane_processor& owner_;
  terrane_token* const base_;
  terrane_token* const end_max_;
  terrane_token* end_;
};

}  // namespace terrane
