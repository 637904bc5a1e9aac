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
// Source      000_bc3addaab27f37f8.txt section 2.2; 001_b2fb519ce5769918.txt section 4.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "terrane/base/atomic.hpp"
#include "terrane/base/random.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/base/reservation.hpp"
#include "terrane/base/ring_queue.hpp"
#include "terrane/core/counters.hpp"
#include "terrane/core/frame_arena.hpp"
#include "terrane/core/quiescence.hpp"
#include "terrane/core/run_control.hpp"
#include "terrane/core/timers.hpp"
#include "terrane/core/token_stack.hpp"
#include "terrane/core/transport.hpp"

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
  static owner make(const processor_options&, node& home, transport& world, run_control& control);

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
  void let_threads_follow(bool may) { threads_follow_ = may && !charged; }
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
    const auto size =
        __atomic_load_n(&top, __ATOMIC_RELAXED) - __atomic_load_n(&bottom, __ATOMIC_RELAXED);
    return size > 0 ? static_cast<int>(size) : 0;
  }

  // --- what the inline code and the operations call ---

  bool spawn_slow();
  void push_slow();
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
  bool has_ready() const { return ready_head != ready_tail || ready_other_levels_ != 0; }
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
  /// Queues an activation that must run here. args: args_bytes of the function.
  void start_here(const terrane_function& function, const void* args);
  void send(processor_id to, entry kind, bytes_view head, bytes_view body = {});
  void stop() {
    stopping_ = true;
    threads_follow_ = false;
  }
  /// The frame whose `fiber` the loop would run next, off the queue and counted as by a turn. Null:
  /// something else comes first, and the loop decides.
  terrane_frame* take_in_turn(const terrane_fiber& fiber) {
    if (TERRANE_UNLIKELY(attention_.load(memory_order_relaxed) || !threads_follow_ ||
                         until_look_ <= 1))
      return nullptr;
    if (ready_head == ready_tail || TERRANE_UNLIKELY(somebody_before_default())) return nullptr;
    const terrane_ready& next = ready[ready_head & ready_mask];
    terrane_frame* const frame = terrane_frame_at(this, next.frame);
    if (next.fiber != &fiber || frame->name != next.frame) return nullptr;
    ++ready_head;
    --until_look_;
    ++fibers;
    return frame;
  }

  node& home() const { return home_; }
  transport& world() const { return world_; }
  run_control& control() const { return control_; }
  std::uint32_t processors() const { return options_.processors; }
  std::uint32_t processors_per_node() const { return options_.processors_per_node; }
  frame_arena& frames() { return frames_; }
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
  processor(const processor_options&, node& home, transport& world, run_control& control);
  ~processor();

  template <class Chosen>
  bool dispatch(Chosen&& chosen);
  bool take_ready(terrane_ready& next);
  bool somebody_before_default() const {
    return (ready_other_levels_ & ((1u << TERRANE_PRIORITY_DEFAULT) - 1)) != 0;
  }
  bool somebody_else_first() const;
  void make_ready_slow(terrane_frame& frame, const terrane_fiber& fiber);
  /// True if there were any: a token may run before them, or who waits for its answer by yielding
  /// would wait for ever.
  bool bring_back_yielded() {
    if (TERRANE_LIKELY(yielded_.empty())) return false;
    while (!yielded_.empty()) {
      const terrane_ready next = yielded_.pop_front();
      make_ready(*terrane_frame_at(this, next.frame), *next.fiber);
    }
    return true;
  }
  void run_fiber(const terrane_ready& next);
  void run_token(const terrane_token& token);
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
  bool stopping_ = false;
  bool threads_follow_;
  std::uint32_t until_look_ = 16, look_interval_ = 16;  // turns
  std::uint64_t last_look_ = 0;
  std::uint64_t inlined_before_ = 0;  // tokens run inline when this turn began
  std::uint64_t ask_after_ = 0, ask_interval_ = 0;
  std::array<ring_queue<terrane_ready>, 8> ready_other_;  // by priority, but for the default one
  std::uint32_t ready_other_levels_ = 0;                  // a bit for each that is not empty
  ring_queue<terrane_ready> yielded_;
  ring_queue<terrane_token> invoked_;
  object* thread_ = nullptr;
  std::unique_ptr<processor_part> threads_;
  std::unique_ptr<terrane_ready[]> ready_ring_;
  time_split times_;
  counters counts_;
  timers timers_;
  quiescence_detector quiescence_;
  frame_arena frames_;
  std::unordered_map<terrane_slot_ref, object*> branches_;
  const processor_options options_;
  node& home_;
  transport& world_;
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
  world_.send(*this, to, kind, head, body);
}

}  // namespace terrane
