// SPDX-License-Identifier: Apache-2.0
// thread_block.hpp: a thread as the runtime has it: a frame whose state is a stack.
//
// For whoever builds something that blocks (a lock, a future):
//
//   thread_block& me = thread_block::current("join of a future");   // R-281 outside a thread
//   const terrane_slot_ref done = me.expect();   // one signal to come, from anywhere
//   terrane_get(there, 8, to_global(mine), done);
//   me.block();                                  // other work runs here until it has come
//
// Purpose     The block lies in a frame of the processor that made the thread, and is an object
//             whose fibers are "resume": a ready thread stands in the processor's ready queues as
//             any fiber does. There is one scheduler.
// Invariants  Its owner alone touches it, in the loop or on the thread's own stack. The slot it
//             blocks on is a join: it holds one count for block(), so that signals may come before.
//             While a thread runs, no child runs inline: fibers never stand on a thread's stack.
// Cost        A thread is some twenty stores until it runs; what few need is made when needed.
//             Where nothing else has to be seen to, threads follow one another without the loop, at
//             a yield, a wait, and an end, whose joiner goes on at once if nobody is before it.
// Kept        Registers and control words (base/context.hpp), errno, and the exceptions being
//             handled.
// Source      [ACTIVE §4.1] (thread context block, lazy stacks).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

#include "terrane/base/context.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/thread/joinable.hpp"
#include "terrane/thread/stack_pool.hpp"
#include "terrane/thread/thread_body.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

class alarm_clock;
class away_thread;
class thread_heap;
struct traveller;

class thread_block final : public joinable {
 public:
  static const terrane_fiber* const fibers[];

  /// The thread that runs there; null while a fiber does.
  static thread_block* running_on(const processor& of) {
    return static_cast<thread_block*>(of.thread());
  }
  /// The thread that runs; null in a fiber, and outside a run.
  static thread_block* current() {
    return terrane_is_processor() ? running_on(terrane::here()) : nullptr;
  }
  /// The same for what only a thread may do; R-281 elsewhere.
  static thread_block& current(const char* what) {
    thread_block* const running = current();
    if (TERRANE_UNLIKELY(!running)) not_in_a_thread(what);
    return *running;
  }

  /// Makes one on this processor, ready to run: it lives until it has ended and been joined, or
  /// detached. R-240 if there is no memory.
  template <class F>
  [[gnu::always_inline]] static thread_block& create(const thread_options& how, F&& call) {
    thread_block& made = make_object<thread_block>(how, std::forward<F>(call));
    if (TERRANE_UNLIKELY(made.in_ != nullptr))
      made.tell_created();
    else
      here().make_ready(made.frame(), *made.wake_.fiber);
    return made;
  }

  // --- by the thread itself ---

  /// One signal to come: the slot to hand out. Any number before block().
  terrane_slot_ref expect() { return terrane_join_into(&wake_, nullptr).slot; }
  /// Waits until all expected signals have come; at once if they have. waits_for: for reports.
  void block(const char* waits_for = "a signal");
  /// The same; if it lasts longer than so many nanoseconds the alarm rings, who may signal too.
  void block_with_alarm(std::uint64_t nanoseconds, alarm_clock& alarm, const char* waits_for);
  /// Whatever else is ready runs first.
  void yield();
  /// The same; if it may move, any node that wants work may take it.
  void yield_to_any();
  /// Locks that it holds: what pins it to its node, and must not outlive it.
  void takes_lock() { ++locks_taken_; }
  void gives_back_lock() { ++locks_given_back_; }
  std::uint32_t locks_held() const { return locks_taken_ - locks_given_back_; }
  /// Its own memory, which goes with it.
  thread_heap& heap();
  bool has_heap(const thread_heap& one) const { return heap_.get() == &one; }

  // --- by its owner ---

  bundle* in() const { return in_; }
  /// Of a bundle's: ready, kept by its policy as if it had been unblocked; and no longer, since the
  /// policy has returned it (R-282 if it was not kept).
  void stay_ready();
  void leave_policy();
  std::int64_t about() const { return about_; }
  /// Runs it until it blocks, yields or ends: in the loop, when it is ready.
  void run_now();
  /// The slot that it blocks on.
  terrane_slot_ref wake() { return terrane_ref(&frame(), &wake_); }
  /// The join of one that has not begun, for which nobody waits, and which the loop would run next:
  /// it begins, and this thread waits for its end. False: it is to be waited for as for anything.
  bool starts_in_turn(joinable& awaited);
  void set_priority(int priority);
  int priority() const { return wake_.fiber->priority; }
  const char* waits_for() const override {
    return (wake_.index & TERRANE_AWAITED) != 0 ? waits_for_ : nullptr;
  }
  const stack& its_stack() const { return stack_; }
  /// Of one that stands still: what a packed move takes along, beside its heap.
  std::size_t stack_in_use() const;
  std::size_t stack_bytes() const { return stack_pool::class_bytes(size_class_); }
  stack_from size_from() const { return size_from_; }

  // --- by its frame ---

  template <class F>
  [[gnu::always_inline]] thread_block(const thread_options& how, F&& call)
      : joinable(how.name, state::fresh, hearer::nobody_yet),
        special_(special_of(how)),
        size_from_(how.size_from),
        wake_(first_wake(how)),
        body_(std::forward<F>(call)),
        seat_(&thread_seat::here()),
        in_(how.in),
        about_(how.about),
        size_class_(stack_pool::class_of(how.stack_bytes)) {}
  /// Of a thread that has come, or comes back.
  thread_block(traveller& arrives, stack_guard guarded);
  ~thread_block() override;

 private:
  friend struct journey;
  friend class away_thread;
  friend struct debug_layout;
  /// Why it is not run as most are.
  enum : std::uint8_t {
    of_bundle = 1,     // whose policy is told, and says what is next
    checks_guard = 2,  // a pattern, looked at in the loop whenever it stops
    may_travel = 4,
    other_priority = 8,  // than the default
    kept_by_policy = 16  // of its bundle, until that returns it
  };
  static std::uint8_t special_of(const thread_options& how) {
    const bool other = how.priority != TERRANE_PRIORITY_DEFAULT;
    return static_cast<std::uint8_t>((how.in ? of_bundle : 0) | (other ? other_priority : 0));
  }
  void mark_special(std::uint8_t what, bool is_so) {
    special_ = static_cast<std::uint8_t>(is_so ? special_ | what : special_ & ~what);
  }
  [[noreturn, gnu::cold]] static void not_in_a_thread(const char* what);
  terrane_slot first_wake(const thread_options& how);
  static bool is_possible(const thread_options& how) {
    return how.priority >= 0 && how.priority <= 7 && how.stack_bytes <= stack_pool::bytes_max;
  }
  [[noreturn, gnu::cold]] static void impossible(const char* name, int priority, std::size_t bytes);
  [[noreturn, gnu::cold]] void holds_locks() const;
  [[noreturn, gnu::cold]] void holds_os_lock() const;
  // of bundles
  void tell_created();
  void blocked();
  void leave_bundle();
  void ready_again();
  static terrane_step tell_bundle(terrane_frame* frame);
  template <int Priority>
  static const terrane_fiber tell_at;

  static terrane_step ring(terrane_frame* frame);
  static const terrane_fiber rings;
  // The steps of its life.
  /// The first code on its stack.
  static void start(void* self);
  void start_specially();
  /// On with whatever is next; returns when it is resumed.
  void suspend();
  static terrane_step resume(terrane_frame* frame);
  void finish();
  // Its turn passed on.
  /// Ready behind all that is, and suspended.
  void turn_about();
  [[gnu::noinline]] void yield_by_loop();
  [[gnu::noinline]] void yield_or_move();
  void make_ready_last() {
    if (TERRANE_LIKELY(!in_))
      here().make_ready_last(frame(), *wake_.fiber);
    else
      ready_again();
  }
  void switch_to(thread_block& next);
  [[gnu::noinline]] void switch_to_fresh(thread_block& next);
  /// The thread that comes next, if this one may go on with it directly: ready to be switched to.
  thread_block* next_in_turn();
  bool resumes_in_turn();
  void run_body();
  thread_block& end();
  [[gnu::noinline]] thread_block& follow();
  // What is written where it runs, stops and ends.
  void mark_started();
  void mark_suspended();
  void mark_resumed();
  void mark_ended() {
    if (TERRANE_UNLIKELY(locks_held() != 0)) holds_locks();
    state_ = state::ended;
  }
  void take_stack(thread_seat& seat, bool in_bundle);
  void take_stack() { take_stack(*seat_, in_ != nullptr); }
  void let_go_of_all();
  [[noreturn, gnu::cold]] static void no_stack(const char* name, std::size_t bytes);

  template <int Priority>
  static const terrane_fiber resume_at;
  static const terrane_fiber& resumes() { return resume_at<TERRANE_PRIORITY_DEFAULT>; }
  static thread_block& in(terrane_frame& frame) {
    return *static_cast<thread_block*>(reinterpret_cast<object*>(&frame + 1));
  }

  std::uint8_t special_;  // beside state_ and hearer_: written together
  stack_from size_from_;
  // --- what a switch touches, together ---
  terrane_slot wake_;
  context context_;
  std::array<void*, 2> exceptions_;  // being handled: __cxa_eh_globals, while it does not run
  int errno_;                        // as it left it, once it has begun
  stack stack_;                      // once it has begun
  thread_body body_;
  thread_seat* seat_;
  const char* waits_for_;  // while its slot is awaited
  terrane_slot alarm_;     // while waits_with_ is set
  alarm_clock* waits_with_ = nullptr;
  traveller* travels_ = nullptr;  // it may move: what it takes along
  bundle* in_;
  struct unmake {
    void operator()(thread_heap*) const;
  };
  std::unique_ptr<thread_heap, unmake> heap_;
  std::int64_t about_;
  // Two counts: one would make a lock wait for the unlock before it.
  std::uint32_t locks_taken_ = 0, locks_given_back_ = 0;
  std::uint32_t size_class_;
};

}  // namespace terrane

#include "terrane/thread/thread_switch.hpp"
