// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/token_stack.hpp"

#include <algorithm>
#include <cstring>

#include "terrane/core/failure.hpp"

namespace terrane {

namespace {

constexpr std::ptrdiff_t tokens_first = 64;

bool is_dead(const terrane_token& place) { return place.function == &dead_token; }

}  // namespace

token_stack::token_stack(terrane_processor& owner, void* memory, std::size_t tokens_max)
    : owner_(owner),
      base_(static_cast<terrane_token*>(memory)),
      end_max_(base_ + tokens_max - 1),  // a kept token is written before its owner looks for room
      end_(std::min(base_ + tokens_first, end_max_)) {
  set_ends(base_, base_);
}

void token_stack::set_ends(terrane_token* bottom, terrane_token* top) {
  owner_.bottom = bottom;
  owner_.top = top;
  show();
}

void token_stack::make_room() {
  trim();
  if (owner_.top < end_) return;
  const bool enough = owner_.bottom - base_ >= static_cast<std::ptrdiff_t>(size());
  if (move_down() && enough) return;
  const std::ptrdiff_t used = owner_.top - base_;
  if (base_ + used >= end_max_)
    fail(run_time_error::out_of_memory,
         "%zu tokens lie in the stack of one processor, more than it has places for: join futures "
         "earlier, or spawn less at once",
         size());
  end_ = std::min(end_max_, base_ + std::max<std::ptrdiff_t>(tokens_first, 2 * used));
}

/// Moves the tokens at the far end to the start, unless one of them is a kept token, which is asked
/// for in its place.
bool token_stack::move_down() {
  if (owner_.bottom == base_) return false;
  for (const terrane_token* place = base_; place != owner_.bottom; ++place)
    if (!is_dead(*place)) return false;
  for (const terrane_token* place = owner_.bottom; place != owner_.top; ++place)
    if (is_kept(*place)) return false;
  const std::size_t tokens = size();
  std::memmove(static_cast<void*>(base_), owner_.bottom, tokens * sizeof(terrane_token));
  set_ends(base_, base_ + tokens);
  return true;
}

void token_stack::trim() {
  terrane_token *bottom = owner_.bottom, *top = owner_.top;
  while (top != bottom && is_dead(top[-1])) --top;
  while (bottom != top && is_dead(*bottom)) ++bottom;
  if (bottom != owner_.bottom || top != owner_.top) set_ends(bottom, top);
}

void token_stack::take_oldest(terrane_token& into) {
  terrane_token& place = *owner_.bottom;
  into = place;
  if (is_kept(into)) {
    object* const waits = static_cast<const kept_kind*>(into.function)->leave(into);
    place.function = &taken_token;
    std::memcpy(place.args, &waits, sizeof waits);
  } else {
    place.function = &dead_token;
  }
  ++owner_.bottom;
  show();
}

bool token_stack::holds_kept() const {
  for (const terrane_token* place = base_; place != owner_.top; ++place)
    if (is_kept(*place) && !is_dead(*place)) return true;
  return false;
}

void token_stack::give_up(terrane_token& place) {
  const bool below = &place < owner_.bottom;
  place.function = &dead_token;
  trim();
  if (!below || owner_.bottom != owner_.top) return;
  terrane_token* end = owner_.bottom;
  while (end != base_ && is_dead(end[-1])) --end;
  set_ends(end, end);
}

}  // namespace terrane
