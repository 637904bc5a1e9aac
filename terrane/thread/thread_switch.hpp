// SPDX-License-Identifier: Apache-2.0
// thread_switch.hpp: switches from one thread to the next: the functions of thread_block.hpp that
// are inline where a thread waits, yields or joins.
//
// Invariants  A thread switches to what the loop would run next, or to the loop
//             (core/processor.hpp: the turns that a thread passes on).
#pragma once

#include "terrane/base/os_locks.hpp"
#include "terrane/thread/thread_block.hpp"

namespace terrane {

[[gnu::always_inline]] inline terrane_slot thread_block::first_wake(const thread_options& how) {
  if (TERRANE_UNLIKELY(!is_possible(how))) impossible(how.name, how.priority, how.stack_bytes);
  const bool usual = how.priority == TERRANE_PRIORITY_DEFAULT && !how.in;
  terrane_slot first{1, {}, usual ? &resumes() : fibers[how.priority + (how.in ? 8 : 0)]};
  first.index = static_cast<std::uint32_t>(terrane_slot_bits(
      reinterpret_cast<const char*>(&wake_) - reinterpret_cast<const char*>(&frame())));
  return first;
}

inline void thread_block::mark_suspended() {
  if (os_locks_are_counted && os_locks_held() != 0) holds_os_lock();
  errno_ = *seat_->errno_place;
  exceptions_ = *seat_->exceptions_place;
}

template <event_id Id>
inline void thread_block::note(const char* text) {
  processor& self = terrane::here();
  if (TERRANE_UNLIKELY(self.records(event_class::thread)))
    record(
        self,
        [](event_writer& to, const char* its, terrane_slot_ref name) {
          to.put<Id>(its, name);
          if constexpr (Id == event_id::thread_made) to.count_thread(1);
          if constexpr (Id == event_id::thread_ended) to.count_thread(-1);
        },
        Id != event_id::thread_runs, text);
}

inline void thread_block::mark_resumed() {
  const thread_seat& seat = *seat_;
  terrane::here().set_thread(this);
  note<event_id::thread_runs>(name_);
  *seat.exceptions_place = exceptions_;
  *seat.errno_place = errno_;
}

/// The same as mark_resumed() for its first run.
inline void thread_block::mark_started() {
  const thread_seat& seat = *seat_;
  terrane::here().set_thread(this);
  note<event_id::thread_runs>(name_);
  *seat.exceptions_place = {};
  *seat.errno_place = 0;
}

/// Called at the first run: a thread that waits for its first turn needs no stack.
[[gnu::always_inline]] inline void thread_block::take_stack(thread_seat& seat, bool in_bundle) {
  const stack& its = seat.stacks.take_class(size_class_);
  stack_ = its;
  state_ = state::started;
  const bool usual = its.span.low && its.guarded != stack_guard::pattern;
  if (TERRANE_UNLIKELY(!usual || in_bundle)) start_specially();
}

inline thread_block* thread_block::next_in_turn() {
  terrane_frame* const next = terrane::here().take_in_turn(resumes());
  return next ? &in(*next) : nullptr;
}

[[gnu::always_inline]] inline void thread_block::switch_to(thread_block& next) {
  if (TERRANE_UNLIKELY(next.state_ == state::fresh)) return switch_to_fresh(next);
  next.mark_resumed();
  switch_context(context_, next.context_);
}

[[gnu::always_inline]] inline bool thread_block::starts_in_turn(joinable& awaited) {
  if (TERRANE_UNLIKELY(awaited.started()))
    return false;  // it runs, or is away: a fresh thread is here
  auto& its = static_cast<thread_block&>(awaited);
  if (TERRANE_UNLIKELY(its.special_ != 0 || its.hearer_ != hearer::nobody_yet ||
                       (special_ & (of_bundle | checks_guard)) != 0 ||
                       !terrane::here().take_in_turn(its.frame())))
    return false;
  its.hearer_ = hearer::one;
  its.joiner_ = this;
  wake_.index |= TERRANE_AWAITED;  // its one count stands for the signal of the end
  waits_for_ = "the end of a thread";
  note<event_id::thread_blocks>(waits_for_);
  mark_suspended();
  its.take_stack(*seat_, false);
  its.mark_started();
  enter_context(context_, its.context_, its.stack_.span, start, &its);
  return true;
}

/// Switches to the next thread if the loop would run it next; else to the loop. Inline, so that the
/// CPU predicts the returns that follow when both threads wait in the same way.
[[gnu::always_inline]] inline void thread_block::suspend() {
  mark_suspended();
  // The thread of a bundle, and one whose guard must be checked when it stops, go back to the loop.
  if (TERRANE_LIKELY((special_ & (of_bundle | checks_guard)) == 0))
    if (thread_block* const next = next_in_turn()) {
      if (next == this) return mark_resumed();
      return switch_to(*next);
    }
  switch_context(context_, seat_->loop);
}

[[gnu::always_inline]] inline void thread_block::turn_about() {
  terrane_frame* next;
  if (TERRANE_UNLIKELY(!terrane::here().take_turn_about(frame(), resumes(), next)))
    return yield_by_loop();
  if (!next) return;
  mark_suspended();
  switch_to(in(*next));
}

inline void thread_block::block(const char* waits_for) {
  if (--wake_.count == 0) {
    wake_.count = 1;
    return;
  }
  wake_.index |= TERRANE_AWAITED;
  waits_for_ = waits_for;
  note<event_id::thread_blocks>(waits_for);
  if (TERRANE_UNLIKELY((special_ & of_bundle) != 0)) blocked();
  suspend();
}

inline void thread_block::yield() {
  note<event_id::thread_yields>(name_);
  if (TERRANE_LIKELY(special_ == 0))
    turn_about();
  else
    yield_by_loop();
}

inline void thread_block::yield_to_any() {
  note<event_id::thread_yields>(name_);
  if (TERRANE_LIKELY(special_ == 0))
    turn_about();
  else
    yield_or_move();
}

// --- its fibers, one for each priority: they resume the thread, or tell its bundle ---

template <int Priority>
const terrane_fiber thread_block::resume_at{
    resume, &kind_of<thread_block>::kind, "resume", nullptr, 0, Priority, true};
template <int Priority>
const terrane_fiber thread_block::tell_at{
    tell_bundle, &kind_of<thread_block>::kind, "resume", nullptr, 0, Priority, true};

/// The thread whose frame this is, or what the thread left at home; null: another kind of frame.
inline joinable* thread_in(terrane_frame& frame) {
  const bool its = frame.function == &kind_of<thread_block>::kind;
  return its ? static_cast<joinable*>(reinterpret_cast<object*>(&frame + 1)) : nullptr;
}

inline joinable* joinable::find(terrane_slot_ref name) {
  return static_cast<joinable*>(find_object(kind_of<thread_block>::kind, name));
}

inline void joinable::wait_until_ended() {
  thread_block& me = thread_block::current("join");
  if (TERRANE_UNLIKELY(!me.starts_in_turn(*this))) wait_its_turn(me);
}

inline void joinable::free_frame(terrane_frame& its) {
  terrane_frame_free(terrane_here, &its, kind_of<thread_block>::kind.frame_class);
}

}  // namespace terrane
