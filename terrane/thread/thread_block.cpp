// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_block.hpp"

#include <cstring>
#include <memory>
#include <utility>

#include "terrane/thread/alarm_clock.hpp"
#include "terrane/thread/bundle.hpp"
#include "terrane/thread/channel_desk.hpp"
#include "terrane/thread/journey.hpp"
#include "terrane/thread/lent.hpp"
#include "terrane/thread/overflow.hpp"
#include "terrane/thread/thread_heap.hpp"
#include "terrane/thread/thread_mail.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

// --- its fibers ---

const terrane_fiber thread_block::rings{ring, &kind_of<thread_block>::kind, "alarm", nullptr, 0, 0,
                                        false};

const terrane_fiber* const thread_block::fibers[] = {
    &resume_at<0>, &resume_at<1>, &resume_at<2>, &resume_at<3>, &resume_at<4>, &resume_at<5>,
    &resume_at<6>, &resume_at<7>, &tell_at<0>,   &tell_at<1>,   &tell_at<2>,   &tell_at<3>,
    &tell_at<4>,   &tell_at<5>,   &tell_at<6>,   &tell_at<7>,   nullptr};

void thread_block::impossible(const char* name, int priority, std::size_t bytes) {
  if (priority < 0 || priority > 7)
    fail(run_time_error::thread_misused,
         "thread %s was to have priority %d: they go from 0 (first) to 7 (last)", name, priority);
  fail(run_time_error::thread_misused,
       "thread %s was to have a stack of %zu bytes: the largest has %zu", name, bytes,
       stack_pool::bytes_max);
}

thread_block::~thread_block() {
  // A thread that still waits when the machine is taken down: its stack is not unwound.
  if (state_ == state::started) unmake_context(context_);
  // The heap of one that moves may lie in a pool of another processor, which is gone already.
  if (travels_ && heap_) static_cast<void>(heap_.release());
}

void thread_block::not_in_a_thread(const char* what) {
  if (!terrane_is_processor())
    fail(
        run_time_error::not_a_processor,
        "%s was called in a thread of the operating system that is no processor of a run: do it in "
        "a terrane::thread, and let what runs outside (std::thread, blocking) work on plain memory",
        what);
  if (here().messages().in_handler)
    fail(run_time_error::not_in_a_thread,
         "%s may block, and the handler of a message never does: post it with runs_in::thread, or "
         "let it signal a slot",
         what);
  fail(run_time_error::not_in_a_thread,
       "%s may block, and a fiber never does: run this code in a thread, or wait with a slot",
       what);
}

// --- the switch ---

/// Switches from the loop to a thread, and returns when the loop has the processor again. Other
/// threads may run in between, as long as the loop would run them one after the other.
terrane_step thread_block::resume(terrane_frame* frame) {
  thread_block& self = in(*frame);
  thread_seat& seat = *self.seat_;
  processor& runner = seat.of;
  char* const floor = runner.stack_floor;
  runner.stack_floor = reinterpret_cast<char*>(~std::uintptr_t{0});  // no child runs inline
  const std::array<void*, 2> exceptions = *seat.exceptions_place;
  const std::uint32_t turns = runner.turns_left();
  seat.slice_begins();
  if (self.state_ == state::fresh) {
    self.take_stack();
    self.mark_started();
    enter_context(seat.loop, self.context_, self.stack_.span, start, &self);
  } else {
    self.mark_resumed();
    switch_context(seat.loop, self.context_);
  }
  *seat.exceptions_place = exceptions;
  runner.stack_floor = floor;
  runner.count_passed_on(turns);
  thread_block* const last = running_on(runner);
  runner.set_thread(nullptr);
  if (!last) return TERRANE_WAIT;  // it has ended, and has told its joiner itself
  if (TERRANE_UNLIKELY((last->special_ & checks_guard) != 0) &&
      !stack_pool::pattern_is_whole(last->stack_))
    stack_overflowed(*last);
  if (last->ended())
    last->finish();
  else if (TERRANE_UNLIKELY(last->state_ == state::leaving))
    journey::depart(*last);
  return TERRANE_WAIT;
}

/// Switches to a thread that has not begun.
void thread_block::switch_to_fresh(thread_block& next) {
  next.take_stack();
  next.mark_started();
  enter_context(context_, next.context_, next.stack_.span, start, &next);
}

void thread_block::no_stack(const char* name, std::size_t bytes) {
  fail(run_time_error::out_of_memory,
       "no address space for the stack of thread %s (%zu bytes): let fewer live at once, or give "
       "them smaller stacks",
       name, bytes);
}

void thread_block::start_specially() {
  if (!stack_.span.low) no_stack(name_, stack_bytes());
  mark_special(checks_guard, stack_.guarded == stack_guard::pattern);
  if (in_) in_->tell([this](bundle_policy& policy) { policy.on_thread_started(*this); });
}

void thread_block::start(void* raw) {
  context_entered();
  for (auto* self = static_cast<thread_block*>(raw);;) {
    self->run_body();
    self = &self->end();
  }
}

[[gnu::always_inline]] inline void thread_block::run_body() {
  try {
    body_.run();
  } catch (...) { failure_ = std::current_exception(); }
  if (TERRANE_UNLIKELY(heap_ != nullptr)) leave_heap();
  mark_ended();
}

void thread_block::leave_heap() {
  channel_desk::give_up_all(*this);
  end_loans(*this);
  if (heap_->letters) seat_->mail().ended(*this);
  heap_.reset();
}

void thread_block::holds_locks() const {
  fail(run_time_error::lock_misused, "thread %s ended while it held %u lock%s", name_, locks_held(),
       locks_held() == 1 ? "" : "s");
}

void thread_block::holds_os_lock() const {
  fail(run_time_error::lock_misused,
       "thread %s gives way while it holds a lock of the C library (std::mutex or its kin): who "
       "wants that on this processor waits for ever; use a terrane::mutex, or give it back before",
       name_);
}

/// Runs on the ended thread's own stack. The joiner continues if it is next; else what the loop
/// would run. Returns a fresh thread that begins on this stack.
[[gnu::always_inline]] inline thread_block& thread_block::end() {
  stack_pool& stacks = seat_->stacks;
  // Cases that only the loop can handle: a bundle, a guard that must be checked, a context or pages
  // that cannot be given up while they are in use.
  if (TERRANE_UNLIKELY((special_ & (of_bundle | checks_guard)) != 0 || contexts_are_unmade ||
                       stacks.is_full(stack_)))
    leave_context(seat_->loop);
  // The stack is given back already. The next thread to take a stack begins on it, and it begins
  // only where this thread leaves it.
  stacks.give_back(stack_);
  thread_block* const joiner = joiner_;
  if (TERRANE_UNLIKELY(!joiner || !joiner->resumes_in_turn())) return follow();
  joiner->mark_resumed();
  leave_context(joiner->context_);
}

/// True if a signal would make this thread what the loop runs next; then the signal counts as come,
/// and the thread has the turn.
inline bool thread_block::resumes_in_turn() {
  if (wake_.count != 1 || (special_ & (of_bundle | other_priority)) != 0 ||
      !terrane::here().next_turn_is_free())
    return false;
  wake_.index &= ~TERRANE_AWAITED;
  return true;
}

thread_block& thread_block::follow() {
  thread_seat& seat = *seat_;
  const char* const mine = stack_.span.low;
  [[maybe_unused]] const context left_for_good = context_;
  tell_end();  // it may be gone from here on
  seat.of.set_thread(nullptr);
  terrane_frame* const frame = seat.of.take_in_turn(resumes());
  if (!frame) leave_context(seat.loop);
  thread_block& next = in(*frame);
  if (next.state_ != state::fresh) {
    next.mark_resumed();
    leave_context(next.context_);
  }
  next.take_stack();
  next.mark_started();
  if (next.stack_.span.low != mine) {
    next.context_ = make_context(next.stack_.span, next.stack_.span.high(), start, &next);
    leave_context(next.context_);
  }
  next.context_ = left_for_good;
  return next;
}

void thread_block::run_now() { resume(&frame()); }

// --- waits that may last too long ---

void thread_block::block_with_alarm(std::uint64_t nanoseconds, alarm_clock& alarm,
                                    const char* waits_for) {
  processor& self = terrane::here();
  const std::uint64_t now = self.world().now();
  if (nanoseconds > timers::never - now) return block(waits_for);
  waits_with_ = &alarm;
  alarm_ = {1, {1}, &rings};
  const auto due = self.due().add(now + nanoseconds, terrane_ref(&frame(), &alarm_));
  block(waits_for);
  // An alarm whose time has come but which has not rung stands in the ready queue. It uses this
  // call's alarm, so the call stays until it has rung.
  if (!self.due().remove(due))
    while (!alarm.rang) yield();
  waits_with_ = nullptr;
}

terrane_step thread_block::ring(terrane_frame* frame) {
  auto& self = *static_cast<thread_block*>(reinterpret_cast<object*>(frame + 1));
  self.seat_->of.pay_nothing();
  self.waits_with_->rang = true;
  self.waits_with_->ring();
  return TERRANE_WAIT;
}

const char* thread_block::waits_for() const {
  if ((wake_.index & TERRANE_AWAITED) == 0) return nullptr;
  if (waits_for_ == thread_mail::a_letter) return seat_->mail().describe_wait(*this);
  return waits_for_;
}

// --- its events ---

void thread_block::record(processor& self, put_event put, bool looks, const char* text) {
  if (looks || self.is_simulated()) self.writer().look();
  put(self.writer(), text, frame().name);
}

// --- what its bundle is told ---

void thread_block::tell_created() {
  in_->thread_came();
  mark_special(kept_by_policy, true);
  in_->tell([this](bundle_policy& policy) { policy.on_thread_created(*this); });
  in_->ask_processor();
}

void thread_block::blocked() {
  in_->tell([this](bundle_policy& policy) { policy.on_thread_blocked(*this); });
}

void thread_block::ready_again() {
  stay_ready();
  in_->ask_processor();
}

void thread_block::stay_ready() {
  mark_special(kept_by_policy, true);
  in_->tell([this](bundle_policy& policy) { policy.on_thread_unblocked(*this); });
}

void thread_block::leave_policy() {
  // What a freed frame says of itself is no kind of object.
  const bool lives = frame().function == &kind_of<thread_block>::kind;
  if (!lives || (special_ & kept_by_policy) == 0)
    fail(run_time_error::thread_misused,
         "the policy of a bundle returned %s%s: it returns each thread once for each time that it "
         "is told that the thread is ready",
         lives ? "a thread that is not ready, " : "a thread that has ended",
         lives ? thread_name() : "");
  mark_special(kept_by_policy, false);
}

void thread_block::leave_bundle() {
  in_->tell([this](bundle_policy& policy) { policy.on_thread_terminated(*this); });
  in_->thread_left();
}

terrane_step thread_block::tell_bundle(terrane_frame* frame) {
  static_cast<thread_block*>(reinterpret_cast<object*>(frame + 1))->ready_again();
  return TERRANE_WAIT;
}

// --- yields that do not switch to the next thread directly ---

void thread_block::yield_by_loop() {
  make_ready_last();
  suspend();
}

void thread_block::yield_or_move() {
  if ((special_ & may_travel) == 0) return yield_by_loop();
  if ((special_ & asked_to_move) != 0 && journey::go_where_asked(*this)) return;
  if (!journey::offer(*this)) journey::stand(*this);
}

void thread_block::go_where_asked() { static_cast<void>(journey::go_where_asked(*this)); }

thread_heap& thread_block::heap() {
  if (!heap_) heap_.reset(thread_heap::make(travels_ != nullptr));
  return *heap_;
}

void thread_block::unmake::operator()(thread_heap* ended) const { ended->unmake(); }

// --- the end ---

void thread_block::finish() {
  unmake_context(context_);
  if (in_) leave_bundle();
  if (TERRANE_UNLIKELY(travels_ != nullptr)) return journey::finish(*this);
  seat_->stacks.give_back(stack_);
  tell_end();
}

void thread_block::set_priority(int priority) {
  if (priority < 0 || priority > 7)
    fail(run_time_error::thread_misused,
         "thread %s was given priority %d: they go from 0 (first) to 7 (last)", name_, priority);
  wake_.fiber = fibers[priority + (in_ ? 8 : 0)];
  mark_special(other_priority, priority != TERRANE_PRIORITY_DEFAULT);
}

}  // namespace terrane
