// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/processor.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "terrane/base/rare.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/reach.hpp"
#include "terrane/core/token.hpp"

__thread terrane_processor* terrane_here;

namespace terrane {

namespace {

constexpr std::uint64_t first_frame_offset = processor::head_bytes;
static_assert(sizeof(processor) <= first_frame_offset);
constexpr std::uint32_t ready_ring_least = 256;
constexpr std::uint32_t before_default = (1u << TERRANE_PRIORITY_DEFAULT) - 1;  // a bit a level
constexpr std::uint32_t look_up_most = 1024;   // turns between two looks at the clock
constexpr std::uint64_t look_up_ns = 200'000;  // and about as long
constexpr std::uint64_t preempted_ns = 5'000;  // a choice that took longer was interrupted
constexpr std::uint64_t ask_first_ns = 2'000;  // to the next asking of the balancer; doubles

terrane_token* const top_of_memory = reinterpret_cast<terrane_token*>(~std::uintptr_t{63});

}  // namespace

processor::owner processor::make(const processor_options& options, node& home, transport& world,
                                 run_control& control) {
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
  std::memcpy(reinterpret_cast<char*>(made) + first_frame_offset - sizeof arena, &arena,
              sizeof arena);
  return owner(made);
}

void processor::unmake::operator()(processor* made) const {
  reservation* arena;
  std::memcpy(&arena, reinterpret_cast<char*>(made) + first_frame_offset - sizeof arena,
              sizeof arena);
  made->~processor();
  delete arena;
}

processor::processor(const processor_options& options, node& home, transport& world,
                     run_control& control)
    : terrane_processor{},
      tokens_(nullptr, std::free),
      quiescence_(options.number, options.processors),
      frames_(*this, first_frame_offset, std::min(options.frame_bytes_max, TERRANE_ARENA_BYTES)),
      options_(options),
      home_(home),
      world_(world),
      control_(control) {
  number = options.number;
  charged = world.charges();
  grow_tokens();
  ready_mask = ready_ring_least - 1;
  ready_ring_.reset(new terrane_ready[ready_mask + 1]);
  ready = ready_ring_.get();
  stack_floor = reinterpret_cast<char*>(~std::uintptr_t{0});
  stocked = top_of_memory;
}

processor::~processor() {
  while (top != bottom_) drop_token(*--top);
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
  __atomic_store_n(&stocked, top_of_memory, __ATOMIC_SEQ_CST);
}

void processor::heed() {
  attention_.exchange(false, memory_order_seq_cst);
  published_tokens_.store(tokens_generated(), memory_order_relaxed);
  const std::uint64_t before = world_.now();
  world_.poll(*this);
  times_.poll += world_.now() - before;
  if (threads_) threads_->heed();
  if (surplus_seen_) {
    surplus_seen_ = false;
    offer(0);
    home_.surplus();
  }
  offer(1);
  set_push_limit();
  set_stocked();
}

void processor::set_stocked() {
  const int enough = home_.enough();
  const bool queue_children =
      TERRANE_RARE("core.spawns_look_up", enough == node_view::enough_all || home_.pool().hungry());
  terrane_token* mark = queue_children ? top_of_memory : bottom_ + enough;
  __atomic_store_n(&stocked, mark, __ATOMIC_SEQ_CST);
  if (attention_.load(memory_order_seq_cst))
    __atomic_store_n(&stocked, top_of_memory, __ATOMIC_SEQ_CST);
}

void processor::set_push_limit() {
  const int mark = home_.surplus_mark();
  push_limit = end_;
  rearm_ = nullptr;
  if (TERRANE_RARE("core.next_push_looks_up", top >= end_)) push_limit = top;
  if (mark < 0) return;
  terrane_token* above = bottom_ + std::max(1, mark - static_cast<int>(home_.pool().size()));
  if (top >= above)
    rearm_ = bottom_ + (above - bottom_) / 2;  // reported: again after it has fallen by half
  else
    push_limit = std::min(push_limit, above);
}

/// Moves tokens from the old end of the private stack to the pool while that is hungry.
void processor::offer(std::ptrdiff_t keep) {
  if (!home_.pool().hungry()) return;
  const auto mark = static_cast<std::uint32_t>(std::max(0, home_.surplus_mark()));
  const bool above = home_.surplus_mark() < 0 || home_.pool().size() > mark;
  terrane_token* const before = bottom_;
  while (top - bottom_ > keep && home_.offer(*this, *bottom_))
    __atomic_store_n(&bottom_, bottom_ + 1, __ATOMIC_RELAXED);
  if (bottom_ == before) return;
  // The pool alone came above the mark: no push will see it, the stack being empty each time.
  if (!above && home_.pool().size() > mark) {
    surplus_seen_ = true;
    notice();
  }
  set_stocked();
}

// --- spawning ---

void processor::stop_at_next_spawn() {
  __atomic_store_n(&stocked, top_of_memory, __ATOMIC_RELAXED);
}

bool processor::spawn_slow() {
  world_.spawning(*this);
  if (attention_.load(memory_order_relaxed)) heed();
  offer(0);
  // What became ready meanwhile should not wait for a whole tree of inline children: queue this
  // one, so that the C stack unwinds to the loop.
  const bool others_wait = stopping_ || ready_head != ready_tail || ready_other_levels_ != 0;
  if (others_wait || home_.pool().hungry() || top - bottom_ < home_.enough()) return false;
  const bool no_room = TERRANE_RARE("core.stack_floor_reached",
                                    static_cast<char*>(__builtin_frame_address(0)) <= stack_floor);
  if (no_room) return false;
  set_stocked();  // somebody else may have fed the pool: back to the fast path
  ++inlined;
  return true;
}

void processor::push_slow() {
  if (TERRANE_RARE("core.token_stack_moves", top >= end_)) grow_tokens();
  const int mark = home_.surplus_mark();
  if (mark >= 0 && home_.queued() >= mark) {  // with this token it is more
    surplus_seen_ = true;
    notice();  // the policy is told between fibers or at the next spawn: this token is not written
  }
  set_push_limit();
}

void processor::grow_tokens() {
  const std::ptrdiff_t size = top - bottom_;
  if (tokens_ && bottom_ - tokens_.get() >= size && bottom_ != tokens_.get()) {
    std::memmove(static_cast<void*>(tokens_.get()), bottom_, size * sizeof(terrane_token));
  } else {
    const std::size_t larger = std::max<std::size_t>(64, 2 * size);
    auto* memory =
        static_cast<terrane_token*>(std::aligned_alloc(64, larger * sizeof(terrane_token)));
    if (!memory) fail(run_time_error::out_of_memory, "no memory for %zu queued tokens", larger);
    if (size > 0) std::memcpy(static_cast<void*>(memory), bottom_, size * sizeof(terrane_token));
    tokens_.reset(memory);
    end_ = memory + larger;
  }
  __atomic_store_n(&bottom_, tokens_.get(), __ATOMIC_RELAXED);
  __atomic_store_n(&top, tokens_.get() + size, __ATOMIC_RELAXED);
  push_limit = end_;
  rearm_ = nullptr;
  notice();  // the marks below `stocked` and `push_limit` have moved
}

// --- ready fibers ---

void processor::make_ready(terrane_frame& frame, const terrane_fiber& fiber) {
  const terrane_ready next{frame.name, &fiber};
  if (fiber.priority != TERRANE_PRIORITY_DEFAULT) {
    ready_other_[fiber.priority & 7].push_back(next);
    ready_other_levels_ |= 1u << (fiber.priority & 7);
    return;
  }
  if (TERRANE_RARE("core.ready_ring_moves", ready_tail - ready_head > ready_mask)) grow_ready();
  ready[ready_tail++ & ready_mask] = next;
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
  const std::uint32_t levels =
      default_waits ? ready_other_levels_ & before_default : ready_other_levels_;
  if (levels == 0) {
    if (!default_waits) return false;
    next = ready[ready_head++ & ready_mask];
    return true;
  }
  const int level = __builtin_ctz(levels);
  next = ready_other_[level].pop_front();
  if (ready_other_[level].empty()) ready_other_levels_ &= ~(1u << level);
  return true;
}

/// Inside an inline tree a child's fibers follow at once, in the order in which they became ready:
/// left to the loop they would pile up with the breadth of the tree. At the loop itself, and when
/// somebody is ready before them, they take their turn: nothing is kept from messages, timers and
/// priorities.
bool processor::run_own(terrane_frame& frame, terrane_step& step) {
  if (inlined == inlined_before_ || (ready_other_levels_ & before_default) != 0) return false;
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
  if ((ready_head != ready_tail || ready_other_levels_ != 0) && take_ready(next)) {
    chosen();
    run_fiber(next);
    return true;
  }
  terrane_token token;
  if (TERRANE_UNLIKELY(!invoked_.empty())) {
    token = invoked_.pop_front();
  } else if (top != bottom_) {
    terrane_token* newest = top - 1;
    __atomic_store_n(&top, newest, __ATOMIC_RELAXED);
    if (TERRANE_UNLIKELY(newest <= rearm_)) set_push_limit();
    chosen();
    run_token(*newest);  // in its place: an activation reads its arguments before it pushes
    return true;
  } else if (home_.take_from_pool(*this, token)) {
    ++counts_.tokens_from_pool;
  } else {
    return false;
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
  home_.tick_if_due(now);
  const std::uint64_t start = world_.now(), clock_cost = world_.now() - start;
  return dispatch([&] {
    const std::uint64_t took = world_.now() - start;
    if (took > 2 * clock_cost && took < preempted_ns)
      times_.switching += turns * (took - 2 * clock_cost);
  });
}

void processor::run_fiber(const terrane_ready& next) {
  terrane_frame* frame = terrane_frame_at(this, next.frame);
  if (TERRANE_UNLIKELY(frame->name != next.frame))
    fail(run_time_error::terminated_with_queued_fiber,
         "an activation of %s ended while its fiber %s was ready to run",
         next.fiber->function->name, next.fiber->name);
  ++fibers;
  terrane_proceed(this, frame, next.fiber->code(frame), frame->function);
}

void processor::run_token(const terrane_token& token) {
  ++fibers;
  if (TERRANE_LIKELY(!spilled(*token.function))) {
    token.function->run(this, token.args);
    return;
  }
  void* block = spilled_block(token);
  token.function->run(this, block);
  std::free(block);
}

void processor::start_here(const terrane_function& function, const void* args) {
  invoked_.push_back(make_token(function, args));
}

bool processor::has_work() const {
  return attention_.load(memory_order_seq_cst) || ready_head != ready_tail ||
         ready_other_levels_ != 0 || !invoked_.empty() || top != bottom_ ||
         home_.pool().size() != 0;
}

void processor::send(processor_id to, entry kind, bytes_view head, bytes_view body) {
  if (to >= processors()) require_processor(to, "a message");
  if (is_work(kind)) quiescence_.sent();
  ++counts_.messages_sent;
  counts_.bytes_sent += head.size + body.size;
  world_.send(*this, to, kind, head, body);
}

// --- now and then, and while idle ---

void processor::fire_timers(std::uint64_t now) {
  while (timers_.next() <= now) terrane_signal(timers_.take());
}

std::uint64_t processor::while_idle(bool before_sleep) {
  const std::uint64_t now = world_.now();
  fire_timers(now);
  home_.tick_if_due(now);
  if (now >= ask_after_) {
    const std::uint64_t longer = std::min(2 * ask_interval_, world_.ask_ns_max());
    ask_interval_ = ask_after_ == 0 ? ask_first_ns : longer;
    ask_after_ = now + ask_interval_;
    home_.idle();
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
  return std::min({ask_after_, timers_.next(), home_.next_tick()});
}

}  // namespace terrane
