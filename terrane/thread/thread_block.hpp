// SPDX-License-Identifier: Apache-2.0
// thread_block.hpp: a thread in the runtime: a frame whose state is a stack.
//
// How to build something that blocks (a lock, a future):
//
//   thread_block& me = thread_block::current("join of a future");   // R-281 outside a thread
//   const terrane_slot_ref done = me.expect();   // one signal to come, from anywhere
//   terrane_get(there, 8, to_global(mine), done);
//   me.block();                                  // other work runs here until it has come
//
// Purpose     The block lies in a frame of the processor that made the thread, and is an object
//             whose fibers resume the thread: a ready thread stands in the processor's ready queues
//             as any fiber does. So there is one scheduler.
// Invariants  Its owner alone touches it, in the loop or on the thread's own stack. The slot that
//             the thread blocks on is a join: it holds one count for block(), so that signals may
//             come before. While a thread runs, no child runs inline: fibers never stand on a
//             thread's stack.
// Cost        The creation of a thread takes some twenty stores; what few threads need is made on
//             demand. When nothing needs the loop, threads switch to one another directly: at a
//             yield, at a wait, and at an end, after which the joiner runs at once if nothing is
//             queued before it.
// Kept        A switch keeps registers and control words (base/context.hpp), errno, and the
//             exceptions being handled.
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
struct channel_half;
struct traveller;

class thread_block final : public joinable {
 public:
  static const terrane_fiber* const fibers[];

  /// The thread that runs on that processor; null while a fiber runs.
  static thread_block* running_on(const processor& of) {
    return static_cast<thread_block*>(of.thread());
  }
  /// The running thread; null in a fiber, and outside a run.
  static thread_block* current() {
    return terrane_is_processor() ? running_on(terrane::here()) : nullptr;
  }
  /// The same for operations that only a thread may call; R-281 elsewhere. what: the operation's
  /// name in the message.
  static thread_block& current(const char* what) {
    thread_block* const running = current();
    if (TERRANE_UNLIKELY(!running)) not_in_a_thread(what);
    return *running;
  }

  /// Makes a thread of this processor, ready to run. The block lives until the thread has ended,
  /// and has been joined or detached. R-240 if there is no memory.
  template <class F>
  [[gnu::always_inline]] static thread_block& create(const thread_options& how, F&& call) {
    thread_block& made = make_object<thread_block>(how, std::forward<F>(call));
    made.note<event_id::thread_made>(how.name);
    if (TERRANE_UNLIKELY(made.in_ != nullptr))
      made.tell_created();
    else
      here().make_ready(made.frame(), *made.wake_.fiber);
    return made;
  }

  // --- called by the thread itself ---

  /// Expects one more signal, and returns the slot for it. May be called any number of times before
  /// block().
  terrane_slot_ref expect() { return terrane_join_into(&wake_, nullptr).slot; }
  /// Waits until all expected signals have come; returns at once if they have. waits_for: for
  /// reports.
  void block(const char* waits_for = "a signal");
  /// The same. If the wait lasts longer than so many nanoseconds, the alarm rings, and it may
  /// signal too.
  void block_with_alarm(std::uint64_t nanoseconds, alarm_clock& alarm, const char* waits_for);
  /// Lets other ready work run first.
  void yield();
  /// The same; if the thread may move, any node that wants work may take it.
  void yield_to_any();
  /// Count the locks that the thread holds: a lock pins it to its node, and must be unlocked before
  /// the thread ends.
  void takes_lock() { ++locks_taken_; }
  void gives_back_lock() { ++locks_given_back_; }
  std::uint32_t locks_held() const { return locks_taken_ - locks_given_back_; }
  /// A safe point, where the thread goes if a balancer said so. Call it last: afterwards this may
  /// be another's.
  void may_go() {
    if (TERRANE_UNLIKELY((special_ & asked_to_move) != 0)) go_where_asked();
  }
  /// It sends or receives by that end.
  void uses(channel_half& end) { last_end_ = &end; }
  /// That end is no longer its own.
  void forgets(const channel_half& end) {
    if (last_end_ == &end) last_end_ = nullptr;
  }
  /// The thread's own memory, which moves with it.
  thread_heap& heap();
  /// The same; null: it has none yet.
  thread_heap* heap_or_null() const { return heap_.get(); }

  // --- called by its owner ---

  bundle* in() const { return in_; }
  /// For the thread of a bundle. stay_ready: its policy keeps it as if it had been unblocked.
  /// leave_policy: the policy has returned it, and keeps it no longer (R-282 if it did not keep
  /// it).
  void stay_ready();
  void leave_policy();
  std::int64_t about() const { return about_; }
  /// It was made migratable.
  bool moves() const { return travels_ != nullptr; }
  /// Runs a ready thread until it blocks, yields or ends. Called in the loop.
  void run_now();
  /// The slot that the thread blocks on.
  terrane_slot_ref wake() { return terrane_ref(&frame(), &wake_); }
  /// Joins a thread that has not begun, for which nobody waits, and which the loop would run next:
  /// that thread begins at once, and this one waits for its end. False: the thread is not such, and
  /// the caller must wait in the usual way.
  bool starts_in_turn(joinable& awaited);
  /// The name of the joinable of this thread, which stays when the thread moves.
  terrane_slot_ref id() const;
  /// The number of its next choice among cases that are ready (select.hpp).
  std::uint64_t next_choice() { return choices_++; }
  /// How often it has left a node, or was queued where others may take it.
  std::uint32_t departures() const;
  void set_priority(int priority);
  int priority() const { return wake_.fiber->priority; }
  const char* waits_for() const override;
  const stack& its_stack() const { return stack_; }
  thread_seat& seat() const { return *seat_; }
  /// For a thread that does not run: the bytes that a packed move sends, without its heap.
  std::size_t stack_in_use() const;
  std::size_t stack_bytes() const { return stack_pool::class_bytes(size_class_); }
  stack_from size_from() const { return size_from_; }

  // --- called by its frame ---

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
  /// The block of a thread that has arrived, or has come back.
  thread_block(traveller& arrives, stack_guard guarded);
  ~thread_block() override;

 private:
  friend struct journey;
  friend class away_thread;
  friend struct debug_layout;
  /// Flags of special_: what makes this thread different from most.
  enum : std::uint8_t {
    of_bundle = 1,        // in a bundle, whose policy is told of events and chooses the next thread
    checks_guard = 2,     // its guard is a pattern, which the loop checks whenever the thread stops
    may_travel = 4,       // it may move to other nodes
    other_priority = 8,   // its priority is not the default
    kept_by_policy = 16,  // the policy of its bundle keeps it, and has not returned it yet
    asked_to_move = 32    // a balancer wants it elsewhere
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
  // what concerns bundles
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
  /// The first code that runs on its stack.
  static void start(void* self);
  void start_specially();
  /// Runs what is next, and returns when this thread is resumed.
  void suspend();
  static terrane_step resume(terrane_frame* frame);
  void finish();
  // How it passes its turn on.
  /// Queues this thread behind all that is ready, and suspends it.
  void turn_about();
  [[gnu::noinline]] void yield_by_loop();
  [[gnu::noinline]] void yield_or_move();
  [[gnu::noinline]] void go_where_asked();
  void make_ready_last() {
    if (TERRANE_LIKELY(!in_))
      here().make_ready_last(frame(), *wake_.fiber);
    else
      ready_again();
  }
  void switch_to(thread_block& next);
  [[gnu::noinline]] void switch_to_fresh(thread_block& next);
  /// The thread that is next, taken from the ready queue; null if this thread may not switch to it
  /// directly.
  thread_block* next_in_turn();
  bool resumes_in_turn();
  void run_body();
  thread_block& end();
  [[gnu::noinline]] thread_block& follow();
  /// Writes an event of this thread, if the class is on.
  template <event_id Id>
  void note(const char* text);
  /// looks: at the clock, since time has passed since the last event.
  using put_event = void (*)(event_writer&, const char*, terrane_slot_ref);
  [[gnu::noinline]] void record(processor& self, put_event put, bool looks, const char* text);
  // What is written when it starts to run, stops and ends.
  void mark_started();
  void mark_suspended();
  void mark_resumed();
  void mark_ended() {
    if (TERRANE_UNLIKELY(locks_held() != 0)) holds_locks();
    note<event_id::thread_ended>(name_);
    state_ = state::ended;
  }
  void take_stack(thread_seat& seat, bool in_bundle);
  void take_stack() { take_stack(*seat_, in_ != nullptr); }
  /// Gives back its memory. Runs in the thread, which may wait meanwhile.
  void leave_heap();
  [[noreturn, gnu::cold]] static void no_stack(const char* name, std::size_t bytes);

  template <int Priority>
  static const terrane_fiber resume_at;
  static const terrane_fiber& resumes() { return resume_at<TERRANE_PRIORITY_DEFAULT>; }
  static thread_block& in(terrane_frame& frame) {
    return *static_cast<thread_block*>(reinterpret_cast<object*>(&frame + 1));
  }

  std::uint8_t special_;  // next to state_ and hearer_, since they are written together
  stack_from size_from_;
  // --- what a switch touches lies together ---
  terrane_slot wake_;
  context context_;
  std::array<void*, 2> exceptions_;  // its __cxa_eh_globals while it does not run
  int errno_;                        // its errno while it does not run; valid when it has begun
  stack stack_;                      // valid when it has begun
  thread_body body_;
  thread_seat* seat_;
  const char* waits_for_;  // while its slot is awaited
  terrane_slot alarm_;     // while waits_with_ is set
  alarm_clock* waits_with_ = nullptr;
  std::uint64_t choices_ = 0;
  traveller* travels_ = nullptr;      // what a thread that may move takes along
  channel_half* last_end_ = nullptr;  // the end that it used last, in its heap
  bundle* in_;
  struct unmake {
    void operator()(thread_heap*) const;
  };
  std::unique_ptr<thread_heap, unmake> heap_;
  std::int64_t about_;
  // Two counts: with one, a lock would have to wait for the store of the unlock before it.
  std::uint32_t locks_taken_ = 0, locks_given_back_ = 0;
  std::uint32_t size_class_;
};

}  // namespace terrane

#include "terrane/thread/thread_switch.hpp"
