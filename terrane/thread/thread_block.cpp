// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_block.hpp"

#include <cstring>
#include <memory>
#include <utility>

#include "terrane/thread/bundle.hpp"
#include "terrane/thread/overflow.hpp"
#include "terrane/thread/thread_end.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

// --- the fibers of a thread, one for each priority: to be resumed, or to tell its bundle ---

template <int Priority>
const terrane_fiber thread_block::resume_at{
    resume, &kind_of<thread_block>::kind, "resume", nullptr, 0, Priority, true};
template <int Priority>
const terrane_fiber thread_block::tell_at{
    tell_bundle, &kind_of<thread_block>::kind, "resume", nullptr, 0, Priority, true};
const terrane_fiber thread_block::rings{ring, &kind_of<thread_block>::kind, "alarm", nullptr, 0, 0,
                                        false};

const terrane_fiber* const thread_block::fibers[] = {
    &resume_at<0>, &resume_at<1>, &resume_at<2>, &resume_at<3>, &resume_at<4>, &resume_at<5>,
    &resume_at<6>, &resume_at<7>, &tell_at<0>,   &tell_at<1>,   &tell_at<2>,   &tell_at<3>,
    &tell_at<4>,   &tell_at<5>,   &tell_at<6>,   &tell_at<7>,   nullptr};

terrane_slot thread_block::first_wake(const thread_options& how) {
  if (how.priority < 0 || how.priority > 7)
    fail(run_time_error::thread_misused,
         "thread %s was to have priority %d: they go from 0 (first) to 7 (last)", how.name,
         how.priority);
  if (how.stack_bytes > stack_pool::bytes_max)
    fail(run_time_error::thread_misused,
         "thread %s was to have a stack of %zu bytes: the largest has %zu", how.name,
         how.stack_bytes, stack_pool::bytes_max);
  terrane_slot first{1, {}, fibers[how.priority + (how.in ? 8 : 0)]};
  first.index = static_cast<std::uint32_t>(
      (reinterpret_cast<char*>(&wake_) - reinterpret_cast<char*>(&frame())) >> 4);
  return first;
}

thread_block::~thread_block() {
  // Taken down with the machine while it waits: what lies on its stack is not unwound.
  if (state_ == state::started) unmake_context(context_);
}

thread_seat* thread_block::seat_here() { return &thread_seat::here(); }

void thread_block::not_in_a_thread(const char* what) {
  fail(run_time_error::not_in_a_thread,
       "%s may block, and a fiber never does: run this code in a thread, or wait with a slot",
       what);
}

// --- the switch ---

void thread_block::leave() { switch_context(context_, seat_->loop); }

terrane_step thread_block::resume(terrane_frame* frame) {
  auto& self = *static_cast<thread_block*>(reinterpret_cast<object*>(frame + 1));
  thread_seat& seat = *self.seat_;
  processor& runner = seat.of;
  if (TERRANE_UNLIKELY(self.state_ == state::fresh)) self.start();
  seat.slice_begins();
  char* const floor = runner.stack_floor;
  runner.stack_floor = reinterpret_cast<char*>(~std::uintptr_t{0});  // no child runs inline
  runner.set_thread(&self);
  std::swap(*seat.exceptions_place, self.exceptions_);
  *seat.errno_place = self.errno_;
  switch_context(seat.loop, self.context_);
  self.errno_ = *seat.errno_place;
  std::swap(*seat.exceptions_place, self.exceptions_);
  runner.set_thread(nullptr);
  runner.stack_floor = floor;
  if (TERRANE_UNLIKELY(self.stack_.guarded == stack_guard::pattern) &&
      !stack_pool::pattern_is_whole(self.stack_))
    stack_overflowed(self);
  return self.ended() ? self.finish() : TERRANE_WAIT;
}

/// The stack comes with the first run: threads that wait for their turn need none.
void thread_block::start() {
  stack_ = seat_->stacks.take(stack_bytes_);
  if (!stack_.span.low)
    fail(run_time_error::out_of_memory,
         "no address space for the stack of thread %s (%zu bytes): let fewer live at once, or give "
         "them smaller stacks",
         name_, stack_bytes_);
  context_ = make_context(stack_.span, stack_.span.high(), begin, this);
  state_ = state::started;
  if (in_) in_->tell([this](bundle_policy& policy) { policy.on_thread_started(*this); });
}

void thread_block::begin(void* raw) {
  auto& self = *static_cast<thread_block*>(raw);
  context_entered(self.seat_->loop);
  try {
    self.body_.run();
  } catch (...) { self.failure_ = std::current_exception(); }
  if (self.locks_held_ != 0)
    fail(run_time_error::lock_misused, "thread %s ended while it held %u lock%s", self.name_,
         self.locks_held_, self.locks_held_ == 1 ? "" : "s");
  self.state_ = state::ended;
  leave_context(self.context_, self.seat_->loop);
}

void thread_block::run_now() {
  if (resume(&frame()) == TERRANE_DONE) free_object(*this);
}

// --- waits that may last too long ---

void thread_block::block_with_alarm(std::uint64_t nanoseconds, alarm_clock& alarm,
                                    const char* waits_for) {
  processor& self = terrane::here();
  const std::uint64_t now = self.world().now();
  if (nanoseconds > timers::never - now) return block(waits_for);
  waits_with_ = &alarm;
  const auto due = self.due().add(now + nanoseconds, terrane_ref(&frame(), &alarm_));
  block(waits_for);
  // An alarm that has gone off but not rung stands in the ready queue, and must find us there.
  if (!self.due().remove(due))
    while (!alarm.rang) yield();
  waits_with_ = nullptr;
}

terrane_step thread_block::ring(terrane_frame* frame) {
  auto& self = *static_cast<thread_block*>(reinterpret_cast<object*>(frame + 1));
  self.waits_with_->rang = true;
  self.waits_with_->ring();
  return TERRANE_WAIT;
}

// --- its bundle hears of it ---

void thread_block::created() {
  if (TERRANE_LIKELY(!in_)) return here().make_ready(frame(), *wake_.fiber);
  in_->tell([this](bundle_policy& policy) { policy.on_thread_created(*this); });
  in_->ask_processor();
}

void thread_block::blocked() {
  in_->tell([this](bundle_policy& policy) { policy.on_thread_blocked(*this); });
}

void thread_block::ready_again() {
  in_->tell([this](bundle_policy& policy) { policy.on_thread_unblocked(*this); });
  in_->ask_processor();
}

terrane_step thread_block::tell_bundle(terrane_frame* frame) {
  static_cast<thread_block*>(reinterpret_cast<object*>(frame + 1))->ready_again();
  return TERRANE_WAIT;
}

thread_heap& thread_block::heap() {
  if (!heap_) heap_.reset(new thread_heap(seat_->stacks));
  return *heap_;
}

void thread_block::unmake::operator()(thread_heap* ended) const { delete ended; }

// --- the end ---

terrane_step thread_block::finish() {
  unmake_context(context_);
  seat_->stacks.give_back(stack_);
  heap_.reset();
  if (in_) in_->tell([this](bundle_policy& policy) { policy.on_thread_terminated(*this); });
  if (detached_) {
    if (failure_) unheard_exception(name_, failure_);
    return TERRANE_DONE;
  }
  if (told_ != 0) terrane_signal(told_);
  return TERRANE_WAIT;
}

void thread_block::signal_at_end(terrane_slot_ref told) {
  if (detached_ || told_ != 0)
    fail(run_time_error::thread_misused, "somebody waits for the end of thread %s, which %s", name_,
         detached_ ? "was detached" : "another waits for already");
  told_ = told;
  if (ended()) terrane_signal(told);
}

void thread_block::collect() {
  std::exception_ptr failure = std::move(failure_);
  free_object(*this);
  if (failure) std::rethrow_exception(std::move(failure));
}

void thread_block::detach() {
  detached_ = true;
  if (!ended()) return;
  if (failure_) unheard_exception(name_, failure_);
  free_object(*this);
}

void thread_block::set_priority(int priority) {
  if (priority < 0 || priority > 7)
    fail(run_time_error::thread_misused,
         "thread %s was given priority %d: they go from 0 (first) to 7 (last)", name_, priority);
  wake_.fiber = fibers[priority + (in_ ? 8 : 0)];
}

// --- asked from elsewhere ---

void thread_block::operate(const operation_request& asked) {
  switch (asked.what) {
    case await_end: signal_at_end(asked.as<terrane_slot_ref>()); break;
    case collect_end: {
      const thread_end end = end_for(asked.from, std::move(failure_));
      const auto where = asked.as<answer_place>();
      free_object(*this);
      where.send({&end, sizeof end});
      break;
    }
    case let_go: detach(); break;
  }
}

}  // namespace terrane
