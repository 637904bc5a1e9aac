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
#include <exception>
#include <memory>
#include <utility>

#include "terrane/base/context.hpp"
#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/thread/stack_pool.hpp"
#include "terrane/thread/thread_body.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

enum class migration : std::uint32_t;
enum class stack_form : std::uint8_t;
struct migration_answer;
class thread_heap;
struct traveller;

/// What rings when a wait has lasted too long.
class alarm_clock {
 public:
  /// In the loop of the waiting thread's processor.
  virtual void ring() = 0;
  bool rang = false;

 protected:
  ~alarm_clock() = default;
};

class thread_block final : public object {
 public:
  static constexpr char called[] = "thread";
  static constexpr run_time_error gone = run_time_error::thread_misused;
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

  /// One that may move: ready where it is taken (migration.hpp).
  template <class F>
  static thread_block& send_out(const thread_options& how, const F& call) {
    static_assert(std::is_trivially_copy_constructible_v<F> && std::is_trivially_destructible_v<F>,
                  "what a thread calls that may move is copied as bytes: let it capture plain "
                  "values, and hold the rest behind a terrane::global");
    thread_block& made = make_object<thread_block>(how, [] {});
    made.sent_out({&call, sizeof call, [](void* its) { (*static_cast<F*>(its))(); }});
    return made;
  }

  /// If it is one that was made here and is elsewhere: traveller::bring_back_if_lost.
  static void bring_back_if_lost(terrane_frame& frame);

  /// The one of that name; null: not of this processor, or gone.
  static thread_block* find(terrane_slot_ref name) {
    return static_cast<thread_block*>(find_object(kind_of<thread_block>::kind, name));
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
  void block(const char* waits_for = "a signal") {
    if (--wake_.count == 0) {
      wake_.count = 1;
      return;
    }
    wake_.index |= TERRANE_AWAITED;
    waits_for_ = waits_for;
    if (TERRANE_UNLIKELY((special_ & of_bundle) != 0)) blocked();
    leave();
  }
  /// The same; if it lasts longer than so many nanoseconds the alarm rings, who may signal too.
  void block_with_alarm(std::uint64_t nanoseconds, alarm_clock& alarm, const char* waits_for);
  /// Whatever else is ready runs first.
  void yield() {
    if (TERRANE_LIKELY(special_ == 0))
      turn_about();
    else
      yield_by_loop();
  }
  /// The same; if it may move, any node that wants work may take it.
  void yield_to_any() {
    if (TERRANE_LIKELY(special_ == 0))
      turn_about();
    else
      yield_specially();
  }
  bool is_traveller() const { return travels_ != nullptr; }
  /// Goes on on that node; what pins it, if something does.
  migration move_to(node_id node, stack_form form);
  /// What pins it to its node; migration::moved: nothing.
  migration may_move() const;
  void pin();
  void unpin();
  /// Locks that it holds: what pins it to its node, and must not outlive it.
  void takes_lock() { ++locks_taken_; }
  void gives_back_lock() { ++locks_given_back_; }
  std::uint32_t locks_held() const { return locks_taken_ - locks_given_back_; }
  /// Its own memory, which goes with it.
  thread_heap& heap();
  bool has_heap(const thread_heap& one) const { return heap_.get() == &one; }

  // --- by its owner ---

  bool started() const { return state_ != state::fresh; }
  bool ended() const { return state_ == state::ended; }
  /// Of a thread that was made here and may move: if it is ready here, it goes to that node. `told`
  /// hears of its arrival.
  migration push_to(node_id node, stack_form form, const migration_answer& told);
  bundle* in() const { return in_; }
  /// Of a bundle's: ready, kept by its policy as if it had been unblocked; and no longer, since the
  /// policy has returned it (R-282 if it was not kept).
  void stay_ready();
  void leave_policy();
  std::int64_t about() const { return about_; }
  /// Runs it until it blocks, yields or ends: in the loop, when it is ready.
  void run_now();
  /// `told` is signalled when it has ended, now if it has. One at a time. R-282 if another waits.
  void signal_at_end(terrane_slot_ref told);
  /// Waits until it has ended.
  void wait_until_ended() {
    thread_block& me = current("join");
    if (TERRANE_UNLIKELY(!me.starts_in_turn(*this))) wait_its_turn(me);
  }
  /// Of an ended thread: frees it, and throws what left it.
  void collect() {
    if (TERRANE_UNLIKELY(failure_ != nullptr)) return collect_failure();
    free_frame(frame());  // nothing else of an ended thread is to be destroyed
  }
  void detach();
  void set_priority(int priority);
  int priority() const { return wake_.fiber->priority; }
  const char* thread_name() const { return name_; }
  void set_name(const char* name) { name_ = name; }
  /// What it waits for, as reports say it; null when it does not.
  const char* waits_for() const {
    if (travels_ && state_ == state::fresh) return "its own end, elsewhere";
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
      : wake_(first_wake(how)),
        special_(special_of(how)),
        size_from_(how.size_from),
        body_(std::forward<F>(call)),
        seat_(&thread_seat::here()),
        name_(how.name),
        in_(how.in),
        about_(how.about),
        size_class_(stack_pool::class_of(how.stack_bytes)) {}
  /// Of a thread that has come, or comes back.
  thread_block(traveller& arrives, stack_guard guarded);
  ~thread_block() override;

  enum : std::uint32_t { await_end, collect_end, let_go, end_elsewhere };  // operations
  void operate(const operation_request& asked) override;

 private:
  friend class thread_seat;
  friend struct traveller;
  friend struct debug_layout;
  enum class state : std::uint8_t { fresh, started, leaving, ended };
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
  [[gnu::always_inline]] terrane_slot first_wake(const thread_options& how) {
    if (TERRANE_UNLIKELY(how.priority < 0 || how.priority > 7 ||
                         how.stack_bytes > stack_pool::bytes_max))
      impossible(how.name, how.priority, how.stack_bytes);
    const bool usual = how.priority == TERRANE_PRIORITY_DEFAULT && !how.in;
    terrane_slot first{1, {}, usual ? &resumes() : fibers[how.priority + (how.in ? 8 : 0)]};
    first.index = static_cast<std::uint32_t>(terrane_slot_bits(
        reinterpret_cast<const char*>(&wake_) - reinterpret_cast<const char*>(&frame())));
    return first;
  }
  [[noreturn, gnu::cold]] static void impossible(const char* name, int priority, std::size_t bytes);
  [[noreturn, gnu::cold]] void awaited_by_another() const;
  [[noreturn, gnu::cold]] void holds_locks() const;
  [[noreturn, gnu::cold]] void holds_os_lock() const;
  terrane_frame& frame() { return *(reinterpret_cast<terrane_frame*>(this) - 1); }
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
  /// On with whatever is next; returns when it is resumed.
  void leave();
  /// Ready behind all that is, and leaves.
  void turn_about();
  [[gnu::noinline]] void yield_by_loop();
  [[gnu::noinline]] void yield_specially();
  void switch_to(thread_block& next);
  bool starts_in_turn(thread_block& awaited);
  [[gnu::noinline]] void wait_its_turn(thread_block& joiner);
  [[gnu::noinline]] void switch_to_fresh(thread_block& next);
  static void begin(void* self);
  /// The thread that comes next, if this one may go on with it directly: ready to be switched to.
  thread_block* next_in_turn();
  void goes();
  void comes();
  void begins();
  void run_body();
  void ends() {
    if (TERRANE_UNLIKELY(locks_held() != 0)) holds_locks();
    state_ = state::ended;
  }
  thread_block& end();
  [[gnu::noinline]] thread_block& follow();
  bool resumes_in_turn();
  void tell_end();
  void unmake_this();
  /// Its kind is known: as free_object, without asking.
  static void free_frame(terrane_frame& its) {
    terrane_frame_free(terrane_here, &its, kind_of<thread_block>::kind.frame_class);
  }
  [[gnu::cold]] void collect_failure();
  template <int Priority>
  static const terrane_fiber resume_at;
  static const terrane_fiber& resumes() { return resume_at<TERRANE_PRIORITY_DEFAULT>; }
  static thread_block& in(terrane_frame& frame) {
    return *static_cast<thread_block*>(reinterpret_cast<object*>(&frame + 1));
  }
  static terrane_step resume(terrane_frame* frame);
  void take_stack(thread_seat& seat, bool in_bundle);
  void take_stack() { take_stack(*seat_, in_ != nullptr); }
  void begins_specially();
  void finish();
  /// Ready, behind all that is.
  void yields() {
    if (TERRANE_LIKELY(!in_))
      here().make_ready_last(frame(), *wake_.fiber);
    else
      ready_again();
  }
  void require_stack() const;
  // of threads that move (traveller.cpp)
  void sent_out(const plain_call& call);
  void leave_node();
  bool goes_to_whoever_wants();
  void depart();
  void tell_outgoing(node_id to);
  void end_away();
  void ended_elsewhere(const operation_request& asked);

  // --- what a switch touches, together ---
  terrane_slot wake_;
  context context_;
  std::array<void*, 2> exceptions_;  // being handled: __cxa_eh_globals, while it does not run
  int errno_;                        // as it left it, once it has begun
  state state_ = state::fresh;
  std::uint8_t special_;
  /// Who hears of its end: joiner_ or told_ is one.
  enum class hearer : std::uint8_t { nobody_yet, one, nobody_ever } hearer_ = hearer::nobody_yet;
  stack_from size_from_;
  stack stack_;  // once it has begun
  thread_body body_;
  thread_seat* seat_;
  const char* name_;
  const char* waits_for_;  // while its slot is awaited
  terrane_slot alarm_;     // while waits_with_ is set
  alarm_clock* waits_with_ = nullptr;
  thread_block* joiner_ = nullptr;  // of this processor: blocks until its end
  terrane_slot_ref told_ = 0;       // anybody else, at its end
  traveller* travels_ = nullptr;    // it may move: what it takes along
  bundle* in_;
  std::int64_t about_;
  // Two counts: one would make a lock wait for the unlock before it.
  std::uint32_t locks_taken_ = 0, locks_given_back_ = 0;
  std::uint32_t size_class_;
  std::uint32_t queued_at_ = 0;  // its token, in the node's pool, when it was sent out
  struct unmake {
    void operator()(thread_heap*) const;
  };
  std::unique_ptr<thread_heap, unmake> heap_;
  std::exception_ptr failure_;
};

// --- its fibers, one for each priority: to be resumed, or to tell its bundle ---

template <int Priority>
const terrane_fiber thread_block::resume_at{
    resume, &kind_of<thread_block>::kind, "resume", nullptr, 0, Priority, true};
template <int Priority>
const terrane_fiber thread_block::tell_at{
    tell_bundle, &kind_of<thread_block>::kind, "resume", nullptr, 0, Priority, true};

/// The thread whose frame it is; null: it is another's.
inline const thread_block* thread_in(const terrane_frame& frame) {
  const bool its = frame.function == &kind_of<thread_block>::kind;
  return its ? static_cast<const thread_block*>(&object_in(frame)) : nullptr;
}

}  // namespace terrane

#include "terrane/thread/thread_switch.hpp"
