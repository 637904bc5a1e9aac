// SPDX-License-Identifier: Apache-2.0
// processor.hpp: one OS thread's share of the machine: the loop that takes messages, runs fibers,
// and turns tokens into activations.
//
//   take what the inbox holds            (heed: only when somebody raised `attention_`)
//   run a ready fiber                    (by priority, then first come first served)
//   else start an invoked activation
//   else take its own newest token       (private stack: plain loads and stores)
//   else take the oldest token of its node's pool
//   else idle: the balancer is told, the world spins, yields, sleeps
//
// Invariants  A processor lies at the start of its own arena, so that the address of any frame
//             gives its processor by a mask. Everything except notice() and what is under `any
//             thread` is called by the processor's own thread.
// Protocol    notice(): a thread that made something visible to this processor stores `attention_`
//             and raises the marks (own_tokens.hpp). heed() clears attention_ first and then looks.
//             Both are seq_cst: either the owner sees the work, or it sees attention_ again.
// Source      [EARTH-LB §2.2]; [EARTH-SMP §4].
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/base/freed_blocks.hpp"
#include "terrane/base/random.hpp"
#include "terrane/base/reservation.hpp"
#include "terrane/core/balancer.hpp"
#include "terrane/core/counters.hpp"
#include "terrane/core/event_writer.hpp"
#include "terrane/core/frame_arena.hpp"
#include "terrane/core/inspection.hpp"
#include "terrane/core/own_tokens.hpp"
#include "terrane/core/quiescence.hpp"
#include "terrane/core/ready_queue.hpp"
#include "terrane/core/rope_balancer.hpp"
#include "terrane/core/run_control.hpp"
#include "terrane/core/run_profile.hpp"
#include "terrane/core/timers.hpp"
#include "terrane/core/world.hpp"

namespace terrane {

class object;

/// What a layer above keeps for a processor; destroyed with the processor.
class processor_part {
 public:
  virtual ~processor_part() = default;
  /// Called when the processor heeds: takes what was made visible to it from outside the machine.
  virtual void heed() {}
  /// True if something is under way outside the machine that will be made visible.
  virtual bool expects_more() const { return false; }
  /// Called when declared work has been charged.
  virtual void charged() {}
  /// The name of the running thread; null if none runs.
  virtual const char* doing() const { return nullptr; }
  /// Adds the threads that are ready here.
  virtual void list_ready(std::vector<ready_thread>&) {}
  /// See node_view::move. False: the thread stays.
  virtual bool move_thread(terrane_slot_ref /*thread*/, node_id /*to*/) { return false; }
};

/// The state of message handling.
struct message_state {
  const message* handled = nullptr;  // the message that is handled now; null: none
  bool in_handler = false;           // processor::run_handler
  std::uint64_t asked = 0;           // answers that other processors were asked for
  memory_range seen_memory;  // memory of this process, found at the last look; it stays valid
  std::unordered_map<terrane_slot_ref, object*> branches;  // of others' objects (object.hpp)
};

/// What the recording of a graph needs to know (graph_probes.hpp).
struct graph_state {
  std::uint64_t tokens = 0;                // how many this processor has named
  const terrane_token* unnamed = nullptr;  // a token whose arguments were not written yet
  int quiet = 0;                           // what is sent now has been told already
};

/// How a thread waits for what other threads send it.
enum class receive_wait : std::uint8_t { scheduler, thread, spin };

/// The limits of what threads send one another (talk/letter_box.hpp).
struct letter_options {
  std::uint64_t eager_bytes_max = 16384;   // longer messages wait for their receiver
  std::uint64_t kept_bytes_max = 1 << 20;  // of messages that a thread has not received yet
  receive_wait wait = receive_wait::scheduler;
  bool notes_waits = false;  // talk/wait_book.hpp
};

struct processor_options {
  processor_id number = 0;
  std::uint32_t processors = 1;  // in the whole machine
  std::uint32_t processors_per_node = 1;
  std::uint64_t seed = 1;
  std::uint64_t frame_bytes_max = TERRANE_ARENA_BYTES;
  std::uint64_t stack_bytes = std::uint64_t{4} << 20;  // of threads made for tokens and messages
  letter_options letters{};
  rope_balancer_factory balances_ropes{};
  void* arena = nullptr;  // TERRANE_ARENA_BYTES at a multiple of that size; null: make one
};

class processor : public ready_queue {
 public:
  struct unmake {
    void operator()(processor*) const;
  };
  using owner = std::unique_ptr<processor, unmake>;
  /// The processor lies in the first head_bytes of its arena; its token stack and frames follow.
  static constexpr std::size_t head_bytes = 64 * 1024;
  static constexpr std::size_t frames_offset = std::size_t{512} << 20;
  /// Makes a processor in an arena of its own; null if the system has no address space for it.
  static owner make(const processor_options&, node& home, terrane::world& world,
                    run_control& control);

  processor(const processor&) = delete;
  processor& operator=(const processor&) = delete;

  // --- the loop, called by the world ---

  /// Makes this thread the processor from now on. It may use `stack_bytes` below this call.
  void bind(std::size_t stack_bytes);
  /// Heeds if asked to, then runs one fiber, or one token until it waits or ends. False: there was
  /// nothing to run.
  bool turn();
  /// One step while idle: fires due timers, tells the balancer and, if `before_sleep`, searches for
  /// quiescence. Returns the latest time at which it is to be called again.
  std::uint64_t while_idle(bool before_sleep);
  /// An idle period begins or ends. In the next one, the balancer is told at short intervals first.
  void idle_began() { idle_.store(true, memory_order_relaxed); }
  void idle_ended() {
    idle_.store(false, memory_order_relaxed);
    ask_after_ = 0;
  }
  /// The idle period that has just been added to times() was so long, and ends now.
  void was_idle(std::uint64_t ns, std::uint64_t now) {
    profile_.was_idle(ns);
    finish_profile(now);
  }
  /// Takes messages and stocks the pool.
  void heed();
  /// The same, if a thread asked for it.
  void heed_if_asked() {
    if (loop_is_asked()) heed();
  }
  bool stopping() const { return stopping_; }

  // --- any thread ---

  /// Something was made visible to this processor.
  void notice();
  /// Those classes are to be traced, once the processor heeds.
  void choose_events(event_mask classes) { chosen_.store(classes, memory_order_relaxed); }
  /// `one` is to look at this processor, once it heeds. There is one at a time.
  void let_look(inspection& one);
  /// False: it looks now, or has looked.
  bool spare_look(inspection& one);
  /// The counts at the time the processor last heeded.
  struct published_counts {
    std::uint64_t tokens;
    bool idle;
  };
  published_counts published() const {
    return {published_tokens_.load(memory_order_relaxed), idle_.load(memory_order_relaxed)};
  }
  // --- what the inline code and the operations call ---

  own_tokens& tokens() { return tokens_; }
  bool run_own(terrane_frame& frame, terrane_step& step);
  /// Runs a message's handler now, on the current stack. Until it returns, it counts as running in
  /// no thread, no child runs inline, and no other message is taken.
  void run_handler(const terrane_function& handler, const void* args);
  /// Queues an activation that must run here. args: args_bytes of the function.
  void start_here(const terrane_function& function, const void* args);
  void send(processor_id to, entry kind, bytes_view head, bytes_view body = {});
  /// R-201 if a fiber waits for its turn whose activation has ended, or is `ending`.
  void refuse_orphans(const terrane_frame* ending);
  void stop() {
    refuse_orphans(nullptr);
    stopping_ = true;
    keep_to_loop(run_ends, true);
  }

  node& home() const { return home_; }
  terrane::world& world() const { return world_; }
  /// True if time is virtual: each turn has a price instead of a duration.
  bool is_simulated() const { return simulated_; }
  run_control& control() const { return control_; }
  message_state& messages() { return messages_; }
  graph_state& graph() { return graph_; }
  /// The source line that a message sent now is for: the line that runs, or the line of the message
  /// that is being answered.
  place_number sends_for() const {
    if (terrane_doing) return number_of(*terrane_doing, code_start_);
    return messages_.handled ? messages_.handled->said_at : no_place;
  }
  std::uint32_t processors() const { return options_.processors; }
  std::uint32_t processors_per_node() const { return options_.processors_per_node; }
  std::uint64_t stack_bytes() const { return options_.stack_bytes; }
  const letter_options& letters() const { return options_.letters; }
  const rope_balancer_factory& balances_ropes() const { return options_.balances_ropes; }
  frame_arena& frames() { return frames_; }
  freed_blocks& freed() { return freed_; }
  timers& due() { return timers_; }
  quiescence_detector& quiescence() { return quiescence_; }
  time_split& times() { return times_; }
  void thread_came(std::uint64_t left_ns) {
    const std::uint64_t now = world_.now();
    profile_.thread_came(now - std::min(now, left_ns));
  }
  /// Any thread may read it.
  const run_profile& profile() const { return profile_; }
  /// Tokens of its own, and ready fibers of the default priority.
  std::uint64_t queue_length() const {
    return static_cast<std::uint64_t>(queued_hint()) + (ready_tail - ready_head);
  }
  /// Brings the profile up to that time.
  void finish_profile(std::uint64_t now);
  /// Writes the events of which records() is true.
  event_writer& writer() { return writer_; }
  [[gnu::noinline]] void record_taken(const message& what);
  /// For a slot of this processor: true if its activation is alive.
  bool is_live(terrane_slot_ref slot) {
    return (terrane_frame_at(this, slot)->name ^ slot) <= TERRANE_NAME_SLOTS;
  }
  /// If signals are recorded and that slot of this processor is alive: records one and counts it.
  bool record_signal(terrane_slot_ref slot);
  /// Called before the run with an attached writer, or by the owner when its classes have changed.
  void record_as(const event_writer& writer);
  /// Called before the run: see event_writer.
  void measure_in(load_cell& cell, event_mask classes, bool looks);
  counters& counts() { return counts_; }
  /// True if that processor is one of this node.
  bool is_of_this_node(processor_id other) const {
    return other - first_of_node_ < options_.processors_per_node;
  }
  /// For thread/: the running thread; null while a fiber runs.
  object* thread() const { return thread_; }
  void set_thread(object* running) { thread_ = running; }
  processor_part* threads() const { return threads_.get(); }
  void set_threads(std::unique_ptr<processor_part> made) { threads_ = std::move(made); }

  // --- prices of a simulated machine (prices.hpp); in others these do nothing ---

  /// A request of the running thread's.
  void pay(service what, std::size_t bytes) {
    if (world_.prices) world_.prices->serve(what, bytes);
  }
  /// What is sent next is of that kind.
  void send_as(service what, std::size_t bytes) {
    if (world_.prices) world_.prices->send_as(what, bytes);
  }
  /// This turn has waited, or done the runtime's own work: it has no price, and is not measured.
  void pay_nothing() { pay(service::none, 0); }

  // after the run
  std::uint64_t tokens_generated() const { return inlined + queued; }
  std::uint64_t fibers_executed() const { return inlined + fibers; }

 private:
  friend struct debug_layout;
  processor(const processor_options&, node& home, terrane::world& world, run_control& control);
  ~processor();

  [[gnu::cold]] void trace_what_is_chosen();
  [[gnu::cold]] void be_looked_at();
  void show_events();
  bool records_turns() const {
    return records_any(bits_of(event_class::fiber, event_class::graph));
  }
  template <class Chosen>
  bool dispatch(Chosen&& chosen);
  void run_fiber(const terrane_ready& next);
  void start_token(const terrane_token& token);
  template <class Run>
  void record_turn(Run&& run);
  [[gnu::noinline]] void record_sent(processor_id to, entry kind, std::size_t bytes);
  [[noreturn, gnu::cold]] static void ended_before(const terrane_ready& next);
  void run_token(const terrane_token& token);
  void note_begun(const terrane_function& function);
  bool begun_waits_for_data() const {
    return begun_.frame && begun_.frame->name == begun_.name &&
           begun_.asked_before != messages_.asked;
  }
  /// It has run. If the frame is still free, it needed none.
  void forget_leaf() {
    if (begun_.frame && (reinterpret_cast<std::uintptr_t>(begun_.frame->function) & 1) != 0)
      begun_.frame = nullptr;
  }
  bool look_up();
  void fire_timers(std::uint64_t now) {
    while (timers_.next() <= now) terrane_signal(timers_.take());
  }
  const terrane_token* next_token(terrane_token& room);
  bool take_shared(terrane_token& token);

  // the owner only
  own_tokens tokens_;
  bool stopping_ = false;
  std::uint32_t look_interval_ = 16;  // turns
  std::uint64_t last_look_ = 0;
  std::uint32_t head_at_look_ = 0;    // of the ready ring
  std::uint64_t inlined_before_ = 0;  // tokens run inline when this turn began
  std::uint64_t ask_after_ = 0, ask_interval_ = 0;
  struct {
    const terrane_frame* frame = nullptr;
    terrane_slot_ref name = 0;
    std::uint64_t asked_before = 0;
  } begun_;  // by the last token from the pool
  object* thread_ = nullptr;
  std::unique_ptr<processor_part> threads_;
  time_split times_;
  run_profile profile_;
  event_writer writer_;
  counters counts_;
  timers timers_;
  quiescence_detector quiescence_;
  message_state messages_;
  graph_state graph_;
  frame_arena frames_;
  freed_blocks freed_;
  const processor_options options_;
  const std::uint64_t code_start_ = executable_start();
  const processor_id first_of_node_ =
      options_.number / options_.processors_per_node * options_.processors_per_node;
  node& home_;
  terrane::world& world_;
  const bool simulated_;
  run_control& control_;
  // the owner writes, any thread reads
  atomic<std::uint64_t> published_tokens_{0};
  atomic<bool> idle_{false};
  // any thread writes, the owner reads
  static constexpr event_mask as_it_is = ~event_mask{0};
  atomic<event_mask> chosen_{as_it_is};
  atomic<inspection*> looks_{nullptr};  // who takes it out, either side, has it
};

/// The processor that this thread runs. Call only inside a run.
inline processor& here() { return *static_cast<processor*>(terrane_here); }

/// R-210 unless the machine has that processor. what: the beginning of the error's sentence.
void require_processor(processor_id target, const char* what);

inline void processor::send(processor_id to, entry kind, bytes_view head, bytes_view body) {
  if (to >= processors()) require_processor(to, "a message");
  if (is_work(kind)) quiescence_.sent();
  ++counts_.messages_sent;
  counts_.bytes_sent += head.size + body.size;
  if (TERRANE_UNLIKELY(records(event_class::message))) record_sent(to, kind, head.size + body.size);
  world_.wire.send(*this, to, kind, head, body);
}

}  // namespace terrane
