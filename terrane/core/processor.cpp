// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/processor.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/token.hpp"

namespace terrane {

namespace {

static_assert(sizeof(processor) + sizeof(reservation*) <= processor::head_bytes);
constexpr std::uint32_t ready_ring_least = 256;
constexpr std::uint32_t look_up_most = 1024;   // turns between two looks at the clock
constexpr std::uint64_t look_up_ns = 200'000;  // and about as long
constexpr std::uint64_t preempted_ns = 5'000;  // a choice that took longer was interrupted
constexpr std::uint64_t ask_first_ns = 2'000;  // to the next asking of the balancer; doubles

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
  // The reservation itself is kept in the arena's last word before the frames (see unmake).
  auto* made = new (memory) processor(options, home, world, control);
  std::memcpy(reinterpret_cast<char*>(made) + head_bytes - sizeof arena, &arena, sizeof arena);
  return owner(made);
}

void processor::unmake::operator()(processor* made) const {
  reservation* arena;
  std::memcpy(&arena, reinterpret_cast<char*>(made) + head_bytes - sizeof arena, sizeof arena);
  made->~processor();
  delete arena;
}

processor::processor(const processor_options& options, node& home, terrane::world& world,
                     run_control& control)
    : terrane_processor{},
      tokens_(*this, reinterpret_cast<char*>(this) + head_bytes,
              (frames_offset - head_bytes) / sizeof(terrane_token)),
      quiescence_(options.number, options.processors),
      frames_(*this, frames_offset,
              std::min(options.frame_bytes_max, TERRANE_ARENA_BYTES - frames_offset)),
      options_(options),
      home_(home),
      pool_(home.exchange().pool()),
      world_(world),
      simulated_(world.crew.is_simulated()),
      control_(control) {
  number = options.number;
  priced = world.prices != nullptr;
  let_threads_follow(true);
  push_limit = tokens_.end();
  ready_mask = ready_ring_least - 1;
  ready_ring_.reset(new terrane_ready[ready_mask + 1]);
  ready = ready_ring_.get();
  stack_floor = reinterpret_cast<char*>(~std::uintptr_t{0});
  raise_marks();
}

processor::~processor() {
  while (top != bottom) drop_token(*--top);
  while (!invoked_.empty()) drop_token(invoked_.pop_front());
  frames_.for_each_live([](terrane_frame& frame) {
    if (frame.function->destroy) frame.function->destroy(&frame);
  });
}

void processor::bind(std::size_t stack_bytes) {
  terrane_here = this;
  // Half of the stack is for inline children; what is below stays for the deepest of them.
  stack_floor = static_cast<char*>(__builtin_frame_address(0)) - stack_bytes / 2;
}

// --- noticing ---

void processor::notice() {
  if (attention_.load(memory_order_seq_cst)) return;
  attention_.store(true, memory_order_seq_cst);
  raise_marks();
}

void processor::heed() {
  if (in_handler_) return;
  attention_.exchange(false, memory_order_seq_cst);
  kept_ /= 2;
  published_tokens_.store(tokens_generated(), memory_order_relaxed);
  const std::uint64_t before = world_.now();
  world_.wire.poll(*this);
  times_.poll += world_.now() - before;
  if (threads_) threads_->heed();
  if (surplus_seen_) {
    surplus_seen_ = false;
    offer(0);
    home_.policy().surplus(*this);
  }
  offer(1);
  set_push_limit();
  set_marks();
}

// --- ready fibers ---

void processor::make_ready_slow(terrane_frame& frame, const terrane_fiber& fiber) {
  const terrane_ready next{frame.name, &fiber};
  if (fiber.priority != TERRANE_PRIORITY_DEFAULT) {
    ready_other_[fiber.priority & 7].push_back(next);
    mark(1u << (fiber.priority & 7), true);
    return;
  }
  grow_ready();
  ready[ready_tail++ & ready_mask] = next;
}

/// Somebody at another priority, or a token.
bool processor::somebody_else_first() const {
  return (beside_ & (ready_levels | some_invoked)) != 0 || top != bottom || pool_is_stocked();
}

/// Behind all that is ready is the end of the queue, as long as there is only the one.
void processor::make_ready_last(terrane_frame& frame, const terrane_fiber& fiber) {
  if (fiber.priority == TERRANE_PRIORITY_DEFAULT && (beside_ & some_yielded) == 0 &&
      !somebody_else_first())
    return make_ready(frame, fiber);
  mark(some_yielded, true);
  yielded_.push_back({frame.name, &fiber});
}

void processor::grow_ready() {
  const std::uint32_t size = ready_tail - ready_head;
  const std::uint32_t larger = std::max(ready_ring_least, std::bit_ceil(size + 1));
  std::unique_ptr<terrane_ready[]> ring(new terrane_ready[larger]);
  for (std::uint32_t i = 0; i < size; ++i) ring[i] = ready[(ready_head + i) & ready_mask];
  ready_ring_ = std::move(ring);
  ready = ready_ring_.get();
  ready_mask = larger - 1;
  ready_head = 0;
  ready_tail = size;
}

bool processor::take_ready(terrane_ready& next) {
  const bool default_waits = ready_head != ready_tail;
  if (default_waits && !somebody_before_default()) {
    next = ready[ready_head++ & ready_mask];
    return true;
  }
  if ((beside_ & ready_levels) == 0) return false;
  const int level = __builtin_ctz(beside_);
  next = ready_other_[level].pop_front();
  if (ready_other_[level].empty()) mark(1u << level, false);
  return true;
}

/// Inside an inline tree a child's fibers follow at once, in the order in which they became ready:
/// left to the loop they would pile up with the breadth of the tree. At the loop itself, and when
/// somebody is ready before them, they take their turn: nothing is kept from messages, timers and
/// priorities.
bool processor::run_own(terrane_frame& frame, terrane_step& step) {
  if (inlined == inlined_before_ || somebody_before_default()) return false;
  std::uint32_t first = ready_tail - 1;
  while (first != ready_head && ready[(first - 1) & ready_mask].frame == frame.name) --first;
  if (first != ready_head) {
    notice();  // spawns to come are queued, so that the C stack unwinds to the loop
    return false;
  }
  const terrane_ready next = ready[ready_head++ & ready_mask];
  ++fibers;
  step = next.fiber->code(&frame);
  return true;
}

// --- the loop ---

/// `chosen` is called when the work has been found, before it runs.
template <class Chosen>
bool processor::dispatch(Chosen&& chosen) {
  terrane_ready next;
  if (has_ready() && take_ready(next)) {
    chosen();
    run_fiber(next);
    return true;
  }
  const bool yielded = bring_back_yielded();
  terrane_token token;
  if (TERRANE_UNLIKELY((beside_ & some_invoked) != 0)) {
    token = invoked_.pop_front();
    mark(some_invoked, !invoked_.empty());
  } else if (top != bottom && TERRANE_LIKELY(!is_kept(top[-1]))) {
    terrane_token* newest = top - 1;
    TERRANE_STORE_RELAXED(&top, newest);
    if (TERRANE_UNLIKELY(newest <= rearm_)) set_push_limit();
    chosen();
    run_token(*newest);  // in its place: an activation reads its arguments before it pushes
    return true;
  } else if (TERRANE_UNLIKELY(top != bottom) && take_amid_futures(token)) {
  } else if (home_.exchange().take(*this, token)) {
    ++counts_.tokens_from_pool;
    note_begun(*token.function);
  } else {
    if (!yielded) return false;
    take_ready(next);
    chosen();
    run_fiber(next);
    return true;
  }
  chosen();
  run_token(token);
  return true;
}

bool processor::turn() {
  if (TERRANE_UNLIKELY(
          TERRANE_RARE("core.turn_is_noticed", attention_.load(memory_order_relaxed)))) {
    heed();
    if (stopping_) return false;
  }
  inlined_before_ = inlined;
  if (TERRANE_UNLIKELY(--until_look_ == 0)) return look_up();
  return dispatch([] {});
}

/// Once in so many turns, the fewer the longer they take: timers and ticks that are due, and a
/// sample of what choosing work costs.
bool processor::look_up() {
  const std::uint64_t now = world_.now();
  const bool long_fibers = now - last_look_ > look_up_ns;
  const std::uint32_t turns = look_interval_;
  look_interval_ = long_fibers ? std::max(1u, turns / 4) : std::min(look_up_most, turns * 2);
  until_look_ = look_interval_;
  last_look_ = now;
  if (!timers_.empty()) fire_timers(now);
  home_.policy().tick_if_due(this, now);
  world_.crew.look_outside(*this);
  const std::uint64_t start = world_.now(), clock_cost = world_.now() - start;
  return dispatch([&] {
    const std::uint64_t took = world_.now() - start;
    if (took > 2 * clock_cost && took < preempted_ns)
      times_.switching += turns * (took - 2 * clock_cost);
  });
}

/// next: a fiber that was ready when its activation ended.
void processor::ended_before(const terrane_ready& next) {
  fail(run_time_error::terminated_with_queued_fiber,
       "an activation of %s ended while its fiber %s was ready to run", next.fiber->function->name,
       next.fiber->name);
}

/// What is ready now will have no turn any more: the run ends.
void processor::refuse_orphans(const terrane_frame* ending) {
  const auto look = [&](const terrane_ready& each) {
    const terrane_frame* const frame = terrane_frame_at(this, each.frame);
    if (frame == ending || frame->name != each.frame) ended_before(each);
  };
  for (std::uint32_t i = ready_head; i != ready_tail; ++i) look(ready[i & ready_mask]);
  for (const auto& level : ready_other_)
    for (std::size_t i = 0; i < level.size(); ++i) look(level[i]);
  for (std::size_t i = 0; i < yielded_.size(); ++i) look(yielded_[i]);
}

void processor::run_fiber(const terrane_ready& next) {
  terrane_frame* frame = terrane_frame_at(this, next.frame);
  if (TERRANE_UNLIKELY(frame->name != next.frame)) ended_before(next);
  ++fibers;
  terrane_proceed(this, frame, next.fiber->code(frame), frame->function);
}

/// A future may look for the newest token where it lies: the oldest leaves instead, as it would to
/// somebody else.
bool processor::take_amid_futures(terrane_token& token) {
  tokens_.trim();
  if (top == bottom) return false;
  tokens_.take_oldest(token);
  set_push_limit();
  return true;
}

void processor::run_token(const terrane_token& token) {
  if (!is_kept(token)) ++fibers;  // a kept one counted when it was pushed
  if (TERRANE_LIKELY(!spilled(*token.function))) {
    token.function->run(this, token.args);
    return;
  }
  void* block = spilled_block(token);
  token.function->run(this, block);
  std::free(block);
}

/// A token from the pool begins: its activation will take the first free frame of its class.
void processor::note_begun(const terrane_function& function) {
  begun_ = {};
  if (function.frame_bytes == 0) return;  // it makes none, or one elsewhere
  terrane_frame*& free = free_frames[function.frame_class];
  if (!free) free = frames_.refill(function.frame_class);
  begun_ = {free, free->name, asked_};
}

void processor::start_here(const terrane_function& function, const void* args) {
  invoked_.push_back(make_token(function, args));
  mark(some_invoked, true);
}

void processor::run_handler(const terrane_function& handler, const void* args) {
  char* const floor = stack_floor;
  object* const running = thread_;
  const bool nested = in_handler_;  // one that sends to itself
  stack_floor = reinterpret_cast<char*>(~std::uintptr_t{0});
  thread_ = nullptr;
  in_handler_ = true;
  handler.run(this, args);
  in_handler_ = nested;
  thread_ = running;
  stack_floor = floor;
}

bool processor::has_work() const {
  return attention_.load(memory_order_seq_cst) || has_ready() ||
         (beside_ & (some_yielded | some_invoked)) != 0 || top != bottom || pool_is_stocked();
}

// --- now and then, and while idle ---

std::uint64_t processor::while_idle(bool before_sleep) {
  const std::uint64_t now = world_.now();
  fire_timers(now);
  home_.policy().tick_if_due(this, now);
  if (now >= ask_after_) {
    const std::uint64_t longer = std::min(2 * ask_interval_, world_.crew.ask_ns_max());
    ask_interval_ = ask_after_ == 0 ? ask_first_ns : longer;
    ask_after_ = now + ask_interval_;
    home_.policy().idle(*this, begun_waits_for_data());
  }
  const bool expects_more = threads_ && threads_->expects_more();
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
