// SPDX-License-Identifier: Apache-2.0
// thread_switch.hpp: from one thread to the next: the part of thread_block.hpp that is in line
// where a thread waits, yields or joins.
//
// Invariants  What runs next is what the loop would run next, or the loop (core/processor.hpp: the
//             turns that a thread passes on).
#pragma once

#include "terrane/base/os_locks.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

inline void thread_block::goes() {
  if (os_locks_are_counted && os_locks_held() != 0) holds_os_lock();
  errno_ = *seat_->errno_place;
  exceptions_ = *seat_->exceptions_place;
}

inline void thread_block::comes() {
  const thread_seat& seat = *seat_;
  terrane::here().set_thread(this);
  *seat.exceptions_place = exceptions_;
  *seat.errno_place = errno_;
}

/// The same for its first run.
inline void thread_block::begins() {
  const thread_seat& seat = *seat_;
  terrane::here().set_thread(this);
  *seat.exceptions_place = {};
  *seat.errno_place = 0;
}

/// With the first run: threads that wait for their turn need none.
[[gnu::always_inline]] inline void thread_block::take_stack(thread_seat& seat, bool in_bundle) {
  const stack& its = seat.stacks.take_class(size_class_);
  stack_ = its;
  state_ = state::started;
  const bool usual = its.span.low && its.guarded != stack_guard::pattern;
  if (TERRANE_UNLIKELY(!usual || in_bundle)) begins_specially();
}

inline thread_block* thread_block::next_in_turn() {
  terrane_frame* const next = terrane::here().take_in_turn(resumes());
  return next ? &in(*next) : nullptr;
}

[[gnu::always_inline]] inline void thread_block::switch_to(thread_block& next) {
  if (TERRANE_UNLIKELY(next.state_ == state::fresh)) return switch_to_fresh(next);
  next.comes();
  switch_context(context_, next.context_);
}

/// The join of one that has not begun, for which nobody waits, and which the loop would run next:
/// it begins, and this thread waits for its end. False: it is to be waited for as for anything.
[[gnu::always_inline]] inline bool thread_block::starts_in_turn(thread_block& awaited) {
  if (TERRANE_UNLIKELY(awaited.state_ != state::fresh || awaited.special_ != 0 ||
                       awaited.hearer_ != hearer::nobody_yet ||
                       (special_ & (of_bundle | checks_guard)) != 0 ||
                       !terrane::here().take_in_turn(awaited.frame())))
    return false;
  awaited.hearer_ = hearer::one;
  awaited.joiner_ = this;
  wake_.index |= TERRANE_AWAITED;  // the signal that it holds back is that of the end
  waits_for_ = "the end of a thread";
  goes();
  awaited.take_stack(*seat_, false);
  awaited.begins();
  enter_context(context_, awaited.context_, awaited.stack_.span, begin, &awaited);
  return true;
}

/// To the next thread where that is what the loop would run next; else to the loop. In line, so
/// that the returns behind it are predicted where both threads wait in the same way.
[[gnu::always_inline]] inline void thread_block::leave() {
  goes();
  // What its bundle runs, and what must be looked at when it stops, goes back to whoever runs it.
  if (TERRANE_LIKELY((special_ & (of_bundle | checks_guard)) == 0))
    if (thread_block* const next = next_in_turn()) {
      if (next == this) return comes();
      return switch_to(*next);
    }
  switch_context(context_, seat_->loop);
}

[[gnu::always_inline]] inline void thread_block::turn_about() {
  terrane_frame* next;
  if (TERRANE_UNLIKELY(!terrane::here().take_turn_about(frame(), resumes(), next)))
    return yield_by_loop();
  if (!next) return;
  goes();
  switch_to(in(*next));
}

}  // namespace terrane
