// SPDX-License-Identifier: Apache-2.0
// processor.hpp: one OS thread's share of the machine: the loop that takes messages, runs fibers,
// and turns tokens into activations.
//
//   take what the inbox holds            (heed: only when somebody raised `attention_`)
//   run a ready fiber                    (by priority, then first come first served)
//   else start an invoked activation
//   else take my own newest token        (private stack: plain loads and stores)
//   else take the oldest from my node's pool
//   else idle: the balancer is told, the world spins, yields, sleeps
//
// Invariants  Lives at the start of its own arena, so that any frame finds its processor by a mask.
//             Everything but notice() is called by the processor's own thread.
// Protocol    notice(): whoever made something visible to this processor stores `attention_` and
//             raises `stocked` and clears `spawn_limit`; heed() clears attention_ first and then
//             looks. Both seq_cst: either the owner sees the work, or it sees attention_ again.
//             set_marks() stores both marks and then reads attention_ back, so that neither is lost
//             under the owner's.
// Source      [EARTH-LB §2.2]; [EARTH-SMP §4].
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "terrane/base/atomic.hpp"
#include "terrane/base/freed_blocks.hpp"
#include "terrane/base/random.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/base/reservation.hpp"
#include "terrane/base/ring_queue.hpp"
#include "terrane/core/counters.hpp"
#include "terrane/core/frame_arena.hpp"
#include "terrane/core/quiescence.hpp"
#include "terrane/core/run_control.hpp"
#include "terrane/core/timers.hpp"
#include "terrane/core/token_pool.hpp"
#include "terrane/core/token_stack.hpp"
#include "terrane/core/world.hpp"

namespace terrane {

class object;

/// What a layer above keeps for a processor; it goes with it.
class processor_part {
 public:
  virtual ~processor_part() = default;
  /// The processor heeds: takes what was made visible to it from outside the machine.
  virtual void heed() {}
  /// Something is under way outside the machine, and will be made visible.
  virtual bool expects_more() const { return false; }
  /// Work was declared, and has been paid for.
  virtual void charged() {}
  /// The name of the thread that runs; null: none does.
  virtual const char* doing() const { return nullptr; }
};

struct processor_options {
  processor_id number = 0;
  std::uint32_t processors = 1;  // in the whole machine
  std::uint32_t processors_per_node = 1;
  std::uint64_t seed = 1;
  std::uint64_t frame_bytes_max = TERRANE_ARENA_BYTES;
  std::uint64_t stack_bytes = std::uint64_t{4} << 20;  // of threads made for tokens and messages
  void* arena = nullptr;  // TERRANE_ARENA_BYTES at a multiple of that; null: it makes one
};

class processor : public terrane_processor {
 public:
  struct unmake {
    void operator()(processor*) const;
  };
  using owner = std::unique_ptr<processor, unmake>;
  /// It lies in these first bytes of its arena; its token stack and its frames follow.
  static constexpr std::size_t head_bytes = 64 * 1024;
  static constexpr std::size_t frames_offset = std::size_t{512} << 20;
  /// In an arena of its own; null when the system has no address space for it.
  static owner make(const processor_options&, node& home, terrane::world& world,
                    run_control& control);

  processor(const processor&) = delete;
  processor& operator=(const processor&) = delete;

  // --- the loop, called by the world ---

  /// This thread is the processor from here on; it may use `stack_bytes` below this call.
  void bind(std::size_t stack_bytes);
  /// Takes what is to be noticed, then runs one fiber, or one token as far as it goes. False:
  /// nothing to run.
  bool turn();
  /// True when turn() would find something to do. seq_cst throughout: may follow parker::prepare.
  bool has_work() const;
  /// One step of idleness: due timers, the balancer, and, `before_sleep`, the search for
  /// quiescence. Returns the time at which it wants to be called again at the latest.
  std::uint64_t while_idle(bool before_sleep);
  /// An idle period begins, or ends: the balancer's next one begins with short intervals again.
  void idle_began() { idle_.store(true, memory_order_relaxed); }
  void idle_ended() {
    idle_.store(false, memory_order_relaxed);
    ask_after_ = 0;
  }
  /// Takes messages and stocks the pool.
  void heed();
  /// The same, if anybody asked for it.
  void heed_if_asked() {
    if (attention_.load(memory_order_relaxed)) heed();
  }
  bool stopping() const { return stopping_; }
  /// Whether a thread that stops running may go on with the next one without coming back to the
  /// loop: not while the world looks for messages between turns.
  void let_threads_follow(bool may) { mark(threads_stop, !may || simulated_); }
  /// The next spawn will ask the world first.
  void stop_at_next_spawn() { raise_marks(); }

  // --- any thread ---

  /// Something was made visible to this processor.
  void notice();
  /// As of the last time it heeded.
  struct published_counts {
    std::uint64_t tokens;
    bool idle;
  };
  published_counts published() const {
    return {published_tokens_.load(memory_order_relaxed), idle_.load(memory_order_relaxed)};
  }
  /// Tokens in the private stack, as far as others can tell.
  int queued_hint() const {
    const auto size = TERRANE_LOAD_RELAXED(&top) - TERRANE_LOAD_RELAXED(&bottom);
    return size > 0 ? static_cast<int>(size) : 0;
  }

  // --- what the inline code and the operations call ---

  bool spawn_slow();
  void push_slow();
  /// Queues a token whose work may be long: where its node's others see it, if there are any. Says
  /// where in the pool that is; without others, 0.
  std::uint32_t queue_shared(const terrane_token& token);
  /// A future has pushed its token, and the mark says that there is something to do.
  void future_spawned();
  /// One was joined that was not the newest. in_vain: it lay in the pool, and nobody took it.
  void future_settled(bool in_vain);
  token_stack& tokens() { return tokens_; }
  /// The owner, where it may spawn: its oldest tokens but for `keep` go to the node's pool if that
  /// wants any.
  void stock_pool(std::ptrdiff_t keep) { offer(keep); }
  /// The owner, where it may spawn: its newest token, if that may leave the node.
  bool take_newest(terrane_token& token);
  bool has_ready() const { return ready_head != ready_tail || (beside_ & ready_levels) != 0; }
  /// The token that answers to `waits`, if it still lies in this node's pool.
  bool take_back(const object& waits, terrane_token& token);
  void make_ready(terrane_frame& frame, const terrane_fiber& fiber) {
    const bool ring_is_full =
        TERRANE_RARE("core.ready_ring_moves", ready_tail - ready_head > ready_mask);
    if (TERRANE_UNLIKELY(fiber.priority != TERRANE_PRIORITY_DEFAULT || ring_is_full))
      return make_ready_slow(frame, fiber);
    ready[ready_tail++ & ready_mask] = {frame.name, &fiber};
  }
  /// The same, once all that is ready now, and a token if there is one, have had their turn.
  void make_ready_last(terrane_frame& frame, const terrane_fiber& fiber);
  bool run_own(terrane_frame& frame, terrane_step& step);
  /// Runs a message's handler now, on whatever stack this is: it is in no thread, no child runs
  /// inline, and no other message is taken until it returns.
  void run_handler(const terrane_function& handler, const void* args);
  bool in_handler() const { return in_handler_; }
  /// Queues an activation that must run here. args: args_bytes of the function.
  void start_here(const terrane_function& function, const void* args);
  void send(processor_id to, entry kind, bytes_view head, bytes_view body = {});
  /// R-201 if a fiber waits for its turn whose activation has ended, or is `ending`.
  void refuse_orphans(const terrane_frame* ending);
  void stop() {
    refuse_orphans(nullptr);
    stopping_ = true;
    mark(threads_stop, true);
  }
  // --- turns that a thread passes on to the next, as the loop would ---

  /// Until the loop looks up. What threads took of them was a fiber each, to be counted when the
  /// loop goes on.
  std::uint32_t turns_left() const { return until_look_; }
  void count_passed_on(std::uint32_t left_before) { fibers += left_before - until_look_; }
  /// Threads come back to the loop, though the world would let them follow one another.
  void keep_threads_apart(bool so) { mark(slices_end, so); }

  /// The frame whose `fiber` the loop would run next, off the queue and counted as by a turn. Null:
  /// something else comes first, and the loop decides.
  terrane_frame* take_in_turn(const terrane_fiber& fiber) {
    if (ready_head == ready_tail ||
        TERRANE_UNLIKELY(!thread_may_follow(before_default | threads_stop | slices_end)))
      return nullptr;
    return take_first(fiber);
  }
  /// True if that frame's is the default level's next fiber, and the loop would run it next: off
  /// the queue and counted.
  bool take_in_turn(const terrane_frame& frame) {
    if (ready_head == ready_tail || ready[ready_head & ready_mask].frame != frame.name ||
        TERRANE_UNLIKELY(!thread_may_follow(before_default | threads_stop | slices_end)))
      return false;
    ++ready_head;
    count_turn();
    return true;
  }
  /// As the first, for `yields`, whose `fiber` becomes ready behind all that is: null if that is
  /// itself. False: it has not been made ready.
  bool take_turn_about(terrane_frame& yields, const terrane_fiber& fiber, terrane_frame*& next) {
    if (TERRANE_UNLIKELY(!thread_may_follow(~0u) || top != bottom || pool_is_stocked()))
      return false;
    next = nullptr;
    if (ready_head == ready_tail) return count_turn(), true;
    next = take_first(fiber);
    if (TERRANE_UNLIKELY(!next)) return false;
    ready[ready_tail++ & ready_mask] = {yields.name, &fiber};
    return true;
  }
  /// True: what becomes ready now would be what the loop runs next, and its turn has been counted.
  bool next_turn_is_free() {
    if (ready_head != ready_tail ||
        TERRANE_UNLIKELY(!thread_may_follow(before_default | threads_stop | slices_end)))
      return false;
    count_turn();
    return true;
  }

  /// Other processors' memory is asked for something: an answer will come.
  void count_asked() { ++asked_; }

  node& home() const { return home_; }
  terrane::world& world() const { return world_; }
  /// Time is virtual, and so is the work: each turn has its price.
  bool is_simulated() const { return simulated_; }
  run_control& control() const { return control_; }
  /// What is being handled; null: nothing is.
  const message* handling() const { return handling_; }
  void set_handling(const message* what) { handling_ = what; }
  /// What a message that leaves now is for: the line that runs, or that of the message it answers.
  place_number sends_for() const {
    if (terrane_doing) return number_of(*terrane_doing, code_start_);
    return handling_ ? handling_->said_at : no_place;
  }
  /// Memory of this process, in which it was last asked to write or read; it stays so.
  const memory_range& seen_memory() const { return seen_memory_; }
  void set_seen_memory(const memory_range& mapped) { seen_memory_ = mapped; }
  std::uint32_t processors() const { return options_.processors; }
  std::uint32_t processors_per_node() const { return options_.processors_per_node; }
  std::uint64_t stack_bytes() const { return options_.stack_bytes; }
  frame_arena& frames() { return frames_; }
  freed_blocks& freed() { return freed_; }
  timers& due() { return timers_; }
  quiescence_detector& quiescence() { return quiescence_; }
  time_split& times() { return times_; }
  counters& counts() { return counts_; }
  /// thread/: the thread that runs; null while a fiber does.
  object* thread() const { return thread_; }
  void set_thread(object* running) { thread_ = running; }
  processor_part* threads() const { return threads_.get(); }
  void set_threads(std::unique_ptr<processor_part> made) { threads_ = std::move(made); }
  /// Of objects of other processors, by their names (object.hpp).
  std::unordered_map<terrane_slot_ref, object*>& branches() { return branches_; }

  // after the run
  std::uint64_t tokens_generated() const { return inlined + queued; }
  std::uint64_t fibers_executed() const { return inlined + fibers; }
  std::size_t tokens_left() const { return tokens_.size(); }

 private:
  friend struct debug_layout;
  processor(const processor_options&, node& home, terrane::world& world, run_control& control);
  ~processor();

  template <class Chosen>
  bool dispatch(Chosen&& chosen);
  bool take_ready(terrane_ready& next);
  /// What beside_ says: levels of ready_other_ that hold something, whether the others do, and
  /// whether threads come back to the loop instead of following one another.
  enum : std::uint32_t {
    before_default = (1u << TERRANE_PRIORITY_DEFAULT) - 1,
    ready_levels = 0xff,
    some_yielded = 1u << 8,
    some_invoked = 1u << 9,
    threads_stop = 1u << 10,
    slices_end = 1u << 11  // the same, by keep_threads_apart
  };
  void mark(std::uint32_t what, bool is_so) { beside_ = is_so ? beside_ | what : beside_ & ~what; }
  bool somebody_before_default() const { return (beside_ & before_default) != 0; }
  /// Unless something of `unless` holds, or the loop has something to look at.
  bool thread_may_follow(std::uint32_t unless) const {
    return !attention_.load(memory_order_relaxed) && until_look_ > 1 && (beside_ & unless) == 0;
  }
  void count_turn() { --until_look_; }
  /// Of the default level, which holds something: null if the first is no such fiber.
  terrane_frame* take_first(const terrane_fiber& fiber) {
    const terrane_ready& next = ready[ready_head & ready_mask];
    terrane_frame* const frame = terrane_frame_at(this, next.frame);
    if (TERRANE_UNLIKELY(next.fiber != &fiber || frame->name != next.frame)) return nullptr;
    ++ready_head;
    count_turn();
    return frame;
  }
  bool pool_is_stocked() const { return pool_.size() != 0; }
  bool somebody_else_first() const;
  void make_ready_slow(terrane_frame& frame, const terrane_fiber& fiber);
  /// True if there were any: a token may run before them, or who waits for its answer by yielding
  /// would wait for ever.
  bool bring_back_yielded() {
    if (TERRANE_LIKELY((beside_ & some_yielded) == 0)) return false;
    mark(some_yielded, false);
    while (!yielded_.empty()) {
      const terrane_ready next = yielded_.pop_front();
      make_ready(*terrane_frame_at(this, next.frame), *next.fiber);
    }
    return true;
  }
  void run_fiber(const terrane_ready& next);
  [[noreturn, gnu::cold]] static void ended_before(const terrane_ready& next);
  void run_token(const terrane_token& token);
  void note_begun(const terrane_function& function);
  bool begun_waits_for_data() const {
    return begun_.frame && begun_.frame->name == begun_.name && begun_.asked_before != asked_;
  }
  bool look_up();
  void fire_timers(std::uint64_t now) {
    while (timers_.next() <= now) terrane_signal(timers_.take());
  }
  void offer(std::ptrdiff_t keep);
  bool take_from_pool(terrane_token& token);
  bool take_amid_futures(terrane_token& token);
  void note_surplus();
  void raise_marks();
  void set_marks();
  void set_push_limit();
  void make_room();
  void grow_ready();

  // the owner only
  token_stack tokens_;
  terrane_token* rearm_ = nullptr;  // surplus is reported again once top has fallen to here
  bool surplus_seen_ = false;
  // Tokens of futures kept from a hungry pool: more while those that go there are taken back, so
  // that the leaves of a tree do not go to and fro; none again when others take.
  int kept_ = 0;
  bool stopping_ = false, in_handler_ = false;
  std::uint32_t until_look_ = 16, look_interval_ = 16;  // turns
  std::uint64_t last_look_ = 0;
  std::uint64_t inlined_before_ = 0;  // tokens run inline when this turn began
  std::uint64_t ask_after_ = 0, ask_interval_ = 0;
  std::uint32_t beside_ = 0;
  std::array<ring_queue<terrane_ready>, 8> ready_other_;  // by priority, but for the default one
  ring_queue<terrane_ready> yielded_;
  ring_queue<terrane_token> invoked_;
  std::uint64_t asked_ = 0;
  struct {
    const terrane_frame* frame = nullptr;
    terrane_slot_ref name = 0;
    std::uint64_t asked_before = 0;
  } begun_;  // by the last token from the pool
  object* thread_ = nullptr;
  std::unique_ptr<processor_part> threads_;
  std::unique_ptr<terrane_ready[]> ready_ring_;
  time_split times_;
  counters counts_;
  timers timers_;
  quiescence_detector quiescence_;
  const message* handling_ = nullptr;
  memory_range seen_memory_;
  frame_arena frames_;
  freed_blocks freed_;
  std::unordered_map<terrane_slot_ref, object*> branches_;
  const processor_options options_;
  const std::uint64_t code_start_ = executable_start();
  node& home_;
  const token_pool& pool_;  // of home_
  terrane::world& world_;
  const bool simulated_;
  run_control& control_;
  // the owner writes, any thread reads
  atomic<std::uint64_t> published_tokens_{0};
  atomic<bool> idle_{false};
  // any thread writes, the owner reads and clears
  alignas(64) atomic<bool> attention_{true};
};

/// The processor this thread runs. Only inside a run.
inline processor& here() { return *static_cast<processor*>(terrane_here); }

/// R-210 unless the machine has that processor. what: the beginning of the sentence that says so.
void require_processor(processor_id target, const char* what);

inline void processor::send(processor_id to, entry kind, bytes_view head, bytes_view body) {
  if (to >= processors()) require_processor(to, "a message");
  if (is_work(kind)) quiescence_.sent();
  ++counts_.messages_sent;
  counts_.bytes_sent += head.size + body.size;
  world_.wire.send(*this, to, kind, head, body);
}

}  // namespace terrane
