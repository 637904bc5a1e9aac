// SPDX-License-Identifier: Apache-2.0
// processor_tokens.cpp: a processor and its own tokens: the marks that spawns compare with, what a
// spawn does that is stopped by one, and what goes from the old end to the pool.
#include <algorithm>
#include <cstring>

#include "terrane/base/rare.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/token.hpp"

namespace terrane {

// --- the marks ---

namespace {
terrane_token* const top_of_memory = reinterpret_cast<terrane_token*>(~std::uintptr_t{63});
constexpr int kept_most = 8;
}  // namespace

/// The next spawn of either sort looks up.
void processor::raise_marks() {
  TERRANE_STORE_SEQ_CST(&stocked, top_of_memory);
  TERRANE_STORE_SEQ_CST(&spawn_limit, nullptr);
}

void processor::set_marks() {
  const int enough = home_.policy().enough();
  const bool hungry = pool_.hungry();
  const bool queue_children =
      TERRANE_RARE("core.spawns_look_up", enough == node_view::enough_all || hungry);
  terrane_token* mark = queue_children ? top_of_memory : bottom + enough;
  TERRANE_STORE_SEQ_CST(&stocked, mark);
  terrane_token* limit = hungry ? std::min(push_limit, bottom + kept_ + 1) : push_limit;
  TERRANE_STORE_SEQ_CST(&spawn_limit, simulated_ ? nullptr : limit);
  if (attention_.load(memory_order_seq_cst)) raise_marks();
}

void processor::set_push_limit() {
  const int mark = home_.policy().surplus_mark();
  push_limit = tokens_.end();
  rearm_ = nullptr;
  if (TERRANE_RARE("core.next_push_looks_up", top >= push_limit)) push_limit = top;
  if (mark < 0) return;
  terrane_token* above = bottom + std::max(1, mark - static_cast<int>(pool_.size()));
  if (top >= above)
    rearm_ = bottom + (above - bottom) / 2;  // reported: again after it has fallen by half
  else
    push_limit = std::min(push_limit, above);
}

/// Moves tokens from the old end of the private stack to the pool while that is hungry.
void processor::offer(std::ptrdiff_t keep) {
  if (!pool_.hungry()) return;
  const auto mark = static_cast<std::uint32_t>(std::max(0, home_.policy().surplus_mark()));
  const bool above = home_.policy().surplus_mark() < 0 || pool_.size() > mark;
  if (home_.exchange().fill_from(*this, keep) == 0) return;
  // The pool alone came above the mark: no push will see it, the stack being empty each time.
  if (!above && pool_.size() > mark) {
    surplus_seen_ = true;
    notice();
  }
  set_marks();
}

bool processor::take_newest(terrane_token& token) {
  tokens_.trim();
  if (top == bottom || is_kept(top[-1]) || !may_leave_node(top[-1])) return false;
  token = top[-1];
  TERRANE_STORE_RELAXED(&top, top - 1);
  set_push_limit();
  set_marks();
  return true;
}

bool processor::spawn_slow() {
  world_.crew.spawning(*this);
  if (attention_.load(memory_order_relaxed)) heed();
  offer(0);
  // What became ready meanwhile should not wait for a whole tree of inline children: queue this
  // one, so that the C stack unwinds to the loop.
  const bool others_wait = stopping_ || has_ready();
  if (others_wait || pool_.hungry() || top - bottom < home_.policy().enough()) return false;
  const bool no_room = TERRANE_RARE("core.stack_floor_reached",
                                    static_cast<char*>(__builtin_frame_address(0)) <= stack_floor);
  if (no_room) return false;
  set_marks();  // somebody else may have fed the pool: back to the fast path
  ++inlined;
  return true;
}

void processor::push_slow() {
  if (TERRANE_RARE("core.token_stack_moves", top >= tokens_.end())) make_room();
  note_surplus();
  set_push_limit();
}

std::uint32_t processor::queue_shared(const terrane_token& token) {
  const auto place = home_.exchange().share(*this, token);
  if (place) {
    ++queued;
    note_surplus();
  } else {
    std::memcpy(terrane_token_push(this, token.function), token.args, sizeof token.args);
  }
  future_spawned();
  return place.value_or(0);
}

void processor::future_spawned() {
  world_.crew.spawning(*this);
  if (attention_.load(memory_order_relaxed)) heed();
  offer(kept_);
  if (top >= tokens_.end()) make_room();
  if (top >= push_limit) note_surplus();
  set_push_limit();
  set_marks();
}

void processor::future_settled(bool in_vain) {
  kept_ = in_vain ? std::min(kept_ + 1, kept_most) : 0;
  set_push_limit();
  set_marks();
}

bool processor::take_back(const object& waits, terrane_token& token) {
  const terrane_slot_ref name = waits.name();
  return home_.exchange().take_back(*this, token, [&](const terrane_token& seen) {
    return is_kept(seen) && std::memcmp(arguments_of(seen), &name, sizeof name) == 0;
  });
}

/// The policy is told between fibers or at the next spawn: a fiber's token is not written yet.
void processor::note_surplus() {
  const int mark = home_.policy().surplus_mark();
  if (mark < 0 || home_.exchange().queued() < mark) return;
  surplus_seen_ = true;
  notice();
}

void processor::make_room() {
  tokens_.make_room();
  push_limit = tokens_.end();
  rearm_ = nullptr;
  notice();  // the marks below `stocked` and `push_limit` have moved
}

}  // namespace terrane
