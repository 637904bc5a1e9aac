// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/processor.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/core/graph_probes.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/token.hpp"

namespace terrane {

namespace {

static_assert(sizeof(processor) + sizeof(reservation*) <= 4096);  // one page of its arena
constexpr std::uint32_t look_up_most = 1024;   // turns between two looks at the clock
constexpr std::uint64_t look_up_ns = 200'000;  // and about as long
constexpr std::uint64_t preempted_ns = 5'000;  // a choice that took longer was interrupted
constexpr std::uint64_t ask_first_ns = 2'000;  // until the balancer is told again; doubles

}  // namespace

processor::owner processor::make(const processor_options& options, node& home,
                                 terrane::world& world, run_control& control) {
  reservation* arena = nullptr;
  void* memory = options.arena;
  if (!memory) {
    arena = new reservation(TERRANE_ARENA_BYTES);
    memory = arena->address();
    if (!memory) {
      delete arena;
      return nullptr;
    }
  }
  // The word after the processor holds the reservation itself (see unmake).
  auto* made = new (memory) processor(options, home, world, control);
  std::memcpy(static_cast<void*>(made + 1), &arena, sizeof arena);
  return owner(made);
}

void processor::unmake::operator()(processor* made) const {
  reservation* arena;
  std::memcpy(&arena, static_cast<void*>(made + 1), sizeof arena);
  made->~processor();
  delete arena;
}

processor::processor(const processor_options& options, node& home, terrane::world& world,
                     run_control& control)
    : ready_queue(home.exchange().pool()),
      tokens_(*this, reinterpret_cast<char*>(this) + head_bytes,
              (frames_offset - head_bytes) / sizeof(terrane_token), home.exchange().pool()),
      quiescence_(options.number, options.processors),
      frames_(*this, frames_offset,
              std::min(options.frame_bytes_max, TERRANE_ARENA_BYTES - frames_offset)),
      options_(options),
      home_(home),
      world_(world),
      simulated_(world.crew.is_simulated()),
      control_(control) {
  number = signals_to = options.number;
  priced = world.prices != nullptr;
  keep_to_loop(time_is_simulated, simulated_);
  stack_floor = reinterpret_cast<char*>(~std::uintptr_t{0});
}

processor::~processor() {
  while (top != bottom) drop_token(*--top);
  frames_.for_each_live([](terrane_frame& frame) {
    if (frame.function->destroy) frame.function->destroy(&frame);
  });
}

void processor::bind(std::size_t stack_bytes) {
  terrane_here = this;
  // Half of the stack is for inline children; the half below stays for what the deepest one calls.
  stack_floor = static_cast<char*>(__builtin_frame_address(0)) - stack_bytes / 2;
}

// --- noticing ---

void processor::notice() {
  if (attention_.asked.load(memory_order_seq_cst)) return;
  attention_.asked.store(true, memory_order_seq_cst);
  tokens_.raise_marks();
}

void processor::heed() {
  if (messages_.in_handler) return;
  attention_.asked.exchange(false, memory_order_seq_cst);
  published_tokens_.store(tokens_generated(), memory_order_relaxed);
  if (TERRANE_UNLIKELY(chosen_.load(memory_order_relaxed) != as_it_is)) trace_what_is_chosen();
  if (TERRANE_UNLIKELY(looks_.load(memory_order_relaxed) != nullptr)) be_looked_at();
  if (TERRANE_UNLIKELY(events != 0)) writer_.look();
  const std::uint64_t before = world_.now();
  world_.wire.poll(*this);
  const std::uint64_t took = world_.now() - before;
  times_.poll += took;
  if (TERRANE_UNLIKELY(writer_.has_stamps())) {
    writer_.look();
    if (took != 0 && records(event_class::time)) writer_.put<event_id::polled>(took);
  }
  if (threads_) threads_->heed();
  if (TERRANE_UNLIKELY(home_.policy().asks_processors() || heeds_what_gets_ready()))
    home_.policy().answer(*this);
  tokens_.look_over();
}

/// Inside an inline tree, a child's fibers run at once, in the order in which they became ready. If
/// they were left to the loop, their number would grow with the breadth of the tree. At the loop
/// itself, and if a fiber of an earlier priority is ready, they take their turn, so that messages,
/// timers and priorities are not delayed.
bool processor::run_own(terrane_frame& frame, terrane_step& step) {
  if (inlined == inlined_before_ || somebody_before_default()) return false;
  terrane_ready next;
  if (!take_of(frame, next)) {
    notice();  // further spawns are queued, so that the C stack unwinds to the loop
    return false;
  }
  ++fibers;
  step = next.fiber->code(&frame);
  return true;
}

// --- the loop ---

/// Runs a ready fiber, else a token, else a fiber that yielded. Calls `chosen` with its function
/// when it has been found, before it runs. False: there is none.
template <class Chosen>
bool processor::dispatch(Chosen&& chosen) {
  terrane_ready fiber;
  if (!take_ready(fiber)) {
    const bool yielded = bring_back_yielded();
    terrane_token room;
    if (const terrane_token* token = next_token(room)) {
      chosen(*token->function);
      run_token(*token);
      if (token == &room) forget_leaf();
      return true;
    }
    if (!yielded || !take_ready(fiber)) return false;
  }
  chosen(*fiber.fiber->function);
  run_fiber(fiber);
  return true;
}

/// A token that was invoked here, else the processor's own newest, else the node's oldest. Null:
/// there is none. Returns it in the place where it lay, which is safe because an activation reads
/// its arguments before it pushes; or in `room`.
const terrane_token* processor::next_token(terrane_token& room) {
  if (take_invoked(room)) return &room;
  if (const terrane_token* own = tokens_.next(room)) return own;
  return take_shared(room) ? &room : nullptr;
}

bool processor::take_shared(terrane_token& token) {
  if (!home_.exchange().take(*this, token)) return false;
  ++counts_.tokens_from_pool;
  if (TERRANE_UNLIKELY(records(event_class::token)))
    writer_.put<event_id::token_taken>(token.function);
  note_begun(*token.function);
  return true;
}

bool processor::turn() {
  if (TERRANE_UNLIKELY(
          TERRANE_RARE("core.turn_is_noticed", attention_.asked.load(memory_order_relaxed)))) {
    heed();
    if (stopping_) return false;
  }
  inlined_before_ = inlined;
  const bool ran =
      TERRANE_UNLIKELY(--turns_left_ == 0) ? look_up() : dispatch([](const terrane_function&) {});
  tokens_.show();
  return ran;
}

/// Called once in `look_interval_` turns, a number that falls as turns take longer: fires due
/// timers and ticks, samples the cost of choosing work, and times what was chosen.
bool processor::look_up() {
  const std::uint64_t now = world_.now();
  const std::uint64_t since = now - last_look_;
  const bool long_fibers = since > look_up_ns;
  const std::uint32_t turns = look_interval_;
  look_interval_ = long_fibers ? std::max(1u, turns / 4) : std::min(look_up_most, turns * 2);
  turns_left_ = look_interval_;
  last_look_ = now;
  if (!timers_.empty()) fire_timers(now);
  home_.policy().tick_if_due(this, now);
  world_.crew.look_outside(*this);
  finish_profile(now);
  // Little's law: what is ready waits for as long as it takes to start as many as are ready. (A
  // ring that has moved counts from 0 again.)
  const std::uint32_t started = ready_head - std::exchange(head_at_look_, ready_head);
  if (ready_head != ready_tail && started - 1 < turns)
    profile_.waits((ready_tail - ready_head) * since / started);
  const std::uint64_t start = world_.now(), clock_cost = world_.now() - start;
  const terrane_function* timed = nullptr;
  std::uint64_t begins = 0;
  const bool ran = dispatch([&](const terrane_function& function) {
    begins = world_.now();
    const std::uint64_t took = begins - start;
    if (took > 2 * clock_cost && took < preempted_ns)
      times_.switching += turns * (took - 2 * clock_cost);
    timed = &function;
  });
  if (timed) profile_.fiber_took(*timed, world_.now() - begins);
  return ran;
}

void processor::finish_profile(std::uint64_t now) {
  const bool first = number == first_of_node_;
  profile_.look(now, {.split = times_,
                      .queued = queue_length(),
                      .tokens_in = first ? home_.policy().tokens_in() : 0,
                      .tokens_out = first ? home_.policy().tokens_out() : 0});
}

/// next: a fiber that was ready when its activation ended.
void processor::ended_before(const terrane_ready& next) {
  fail(run_time_error::terminated_with_queued_fiber,
       "an activation of %s ended while its fiber %s was ready to run", next.fiber->function->name,
       next.fiber->name);
}

/// The run ends, so the fibers that are ready now will not run.
void processor::refuse_orphans(const terrane_frame* ending) {
  for_each_ready([&](const terrane_ready& each) {
    const terrane_frame* const frame = terrane_frame_at(this, each.frame);
    if (frame == ending || frame->name != each.frame) ended_before(each);
  });
}

void processor::run_fiber(const terrane_ready& next) {
  terrane_frame* frame = terrane_frame_at(this, next.frame);
  if (TERRANE_UNLIKELY(frame->name != next.frame)) ended_before(next);
  ++fibers;
  if (TERRANE_UNLIKELY(records_turns())) {
    return record_turn([&] {
      writer_.put<event_id::fiber_started>(next.fiber, next.frame);
      writer_.put<event_id::graph_fiber>(next.fiber->priority, next.frame);
      terrane_proceed(this, frame, next.fiber->code(frame), frame->function);
    });
  }
  terrane_proceed(this, frame, next.fiber->code(frame), frame->function);
}

/// The end of a turn is the start of the next one, so one look at the clock serves both. What lies
/// between them, such as taking messages, looks itself. A simulated clock costs nothing to read.
template <class Run>
[[gnu::noinline]] void processor::record_turn(Run&& run) {
  const std::uint64_t fibers_before = fibers - 1, inlined_before = inlined;
  if (simulated_) writer_.look();
  run();
  if (records(event_class::graph)) graph_names_token(*this);
  writer_.look();
  writer_.put<event_id::fiber_ended>(fibers - fibers_before, inlined - inlined_before);
  writer_.put<event_id::graph_ended>(fibers - fibers_before);
}

void processor::run_token(const terrane_token& token) {
  if (!is_kept(token)) ++fibers;  // a kept one counted when it was pushed
  if (TERRANE_UNLIKELY(records_turns())) {
    return record_turn([&] {
      writer_.put<event_id::token_started>(token.function);
      if (records(event_class::graph)) graph_begins(*this, token);
      start_token(token);
    });
  }
  start_token(token);
}

inline void processor::start_token(const terrane_token& token) {
  if (TERRANE_LIKELY(!spilled(*token.function))) {
    token.function->run(this, token.args);
    return;
  }
  void* block = spilled_block(token);
  token.function->run(this, block);
  std::free(block);
}

/// A token from the pool is about to begin: its activation will take the first free frame of its
/// class.
void processor::note_begun(const terrane_function& function) {
  begun_ = {};
  if (function.frame_bytes == 0) return;  // it makes no frame, or makes one elsewhere
  terrane_frame*& free = free_frames[function.frame_class];
  if (!free) free = frames_.refill(function.frame_class);
  begun_ = {free, free->name, messages_.asked};
}

void processor::start_here(const terrane_function& function, const void* args) {
  terrane_token token = make_token(function, args);
  if (TERRANE_UNLIKELY(records(event_class::graph))) graph_came(*this, token);
  invoke(token);
}

void processor::run_handler(const terrane_function& handler, const void* args) {
  char* const floor = stack_floor;
  object* const running = thread_;
  const bool nested = messages_.in_handler;  // a handler sent a message to its own processor
  stack_floor = reinterpret_cast<char*>(~std::uintptr_t{0});
  thread_ = nullptr;
  messages_.in_handler = true;
  if (TERRANE_UNLIKELY(records(event_class::graph))) graph_unclear(*this, "handlers of messages");
  handler.run(this, args);
  messages_.in_handler = nested;
  thread_ = running;
  stack_floor = floor;
}

// --- events ---

void processor::record_as(const event_writer& writer) {
  const event_writer before = writer_;
  writer_ = writer;
  writer_.measure_as(before);
  show_events();
}

/// Makes the inline code and the probes see what is recorded.
void processor::show_events() {
  TERRANE_STORE_RELAXED(&events, writer_.classes());
  const bool each_signal =
      writer_.traces(event_class::signal) || writer_.traces(event_class::graph);
  signals_to = each_signal ? ~0u : number;
  tokens_.raise_marks();
}

void processor::trace_what_is_chosen() {
  writer_.trace(chosen_.exchange(as_it_is, memory_order_relaxed));
  writer_.look();
  show_events();
}

bool processor::record_signal(terrane_slot_ref slot) {
  if (signals_to == number || !is_live(slot)) return false;
  terrane_frame* const frame = terrane_frame_at(this, slot);
  writer_.put<event_id::signalled>((slot & TERRANE_NAME_SLOTS) >> 16, frame->name);
  writer_.put<event_id::graph_got>((slot & TERRANE_NAME_SLOTS) >> 16, frame->name);
  terrane_slot_decrement(this, frame, slot);
  return true;
}

void processor::measure_in(load_cell& cell, event_mask classes, bool looks) {
  writer_.measure_in(cell, classes, looks);
  show_events();
}

/// The flight recorder keeps only messages between nodes, and takes the time of the last look.
void processor::record_sent(processor_id to, entry kind, std::size_t bytes) {
  if (is_of_this_node(to) && !writer_.traces(event_class::message)) return;
  if (writer_.needs_time_of(event_class::message)) writer_.look();
  writer_.put<event_id::message_sent>(to, kind, bytes);
}

void processor::record_taken(const message& what) {
  if (!writer_.traces(event_class::message) && is_of_this_node(what.from)) return;
  writer_.put<event_id::message_taken>(what.from, what.kind, what.size);
}

// --- now and then, and while idle ---

std::uint64_t processor::while_idle(bool before_sleep) {
  const std::uint64_t now = world_.now();
  fire_timers(now);
  home_.policy().tick_if_due(this, now);
  if (now >= ask_after_) {
    // The processors of a node ask for the same balancer, so each of many asks less often.
    const std::uint64_t asking = simulated_ ? 1 : options_.processors_per_node;
    const std::uint64_t longer = std::min(2 * ask_interval_, asking * world_.crew.ask_ns_max());
    ask_interval_ = ask_after_ == 0 ? ask_first_ns : longer;
    ask_after_ = now + ask_interval_;
    home_.policy().idle(*this, begun_waits_for_data());
  }
  const bool expects_more = (threads_ && threads_->expects_more()) || world_.crew.awaits_outside();
  if (before_sleep && !expects_more &&
      !TERRANE_RARE("core.quiescence_probe_kept", !timers_.empty() || has_work())) {
    const auto outcome = quiescence_.passive();
    if (outcome.quiet) control_.quiet(*this);
    if (outcome.to_successor)
      send(quiescence_.successor(), entry::probe,
           {&*outcome.to_successor, sizeof *outcome.to_successor});
  }
  const bool to_ask = !before_sleep || world_.crew.asks_while_asleep();
  return std::min(
      {to_ask ? ask_after_ : timers::never, timers_.next(), home_.policy().next_tick()});
}

}  // namespace terrane
