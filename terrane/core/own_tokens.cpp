// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/own_tokens.hpp"

#include <algorithm>
#include <cstring>

#include "terrane/base/rare.hpp"
#include "terrane/core/graph_probes.hpp"
#include "terrane/core/node.hpp"
#include "terrane/core/object.hpp"
#include "terrane/core/processor.hpp"
#include "terrane/core/token.hpp"

namespace terrane {

namespace {

terrane_token* const top_of_memory = reinterpret_cast<terrane_token*>(~std::uintptr_t{63});
constexpr int kept_most = 8;

}  // namespace

own_tokens::own_tokens(processor& owner, void* memory, std::size_t tokens_max,
                       const token_pool& shared)
    : token_stack(owner, memory, tokens_max), owner_(owner), shared_(shared) {
  set_limit(end());
  raise_marks();
}

// --- the marks ---

void own_tokens::raise_marks() {
  TERRANE_STORE_SEQ_CST(&stocked_mark_, top_of_memory);
  TERRANE_STORE_SEQ_CST(&spawn_mark_, nullptr);
  TERRANE_STORE_SEQ_CST(&owner_.stocked, top_of_memory);
  TERRANE_STORE_SEQ_CST(&owner_.spawn_limit, nullptr);
}

bool own_tokens::is_recorded() const {
  return TERRANE_UNLIKELY(owner_.records_any(bits_of(event_class::token, event_class::graph)));
}

void own_tokens::set_limit(terrane_token* limit) {
  push_mark_ = limit;
  owner_.push_limit = is_recorded() ? nullptr : limit;
}

void own_tokens::set_marks() {
  show();
  const int enough = owner_.home().policy().enough();
  const bool hungry = shared_.hungry();
  const bool queue_children =
      TERRANE_RARE("core.spawns_look_up", enough == node_view::enough_all || hungry);
  terrane_token* mark = queue_children ? top_of_memory : owner_.bottom + enough;
  const bool recorded = is_recorded();
  TERRANE_STORE_SEQ_CST(&stocked_mark_, mark);
  TERRANE_STORE_SEQ_CST(&owner_.stocked, recorded ? top_of_memory : mark);
  terrane_token* limit = hungry ? std::min(push_mark_, owner_.bottom + kept_ + 1) : push_mark_;
  if (owner_.is_simulated()) limit = nullptr;
  TERRANE_STORE_SEQ_CST(&spawn_mark_, limit);
  TERRANE_STORE_SEQ_CST(&owner_.spawn_limit, recorded ? nullptr : limit);
  if (owner_.loop_is_asked_in_order()) raise_marks();
}

void own_tokens::set_push_limit() {
  const int mark = owner_.home().policy().surplus_mark();
  terrane_token* limit = end();
  rearm_ = nullptr;
  if (TERRANE_RARE("core.next_push_looks_up", owner_.top >= limit)) limit = owner_.top;
  if (mark < 0) return set_limit(limit);
  terrane_token* const bottom = owner_.bottom;
  terrane_token* above = bottom + std::max(1, mark - static_cast<int>(shared_.size()));
  if (owner_.top >= above)
    rearm_ = bottom + (above - bottom) / 2;  // report again after the load has fallen by half
  else
    limit = std::min(limit, above);
  set_limit(limit);
}

void own_tokens::look_over() {
  kept_ /= 2;
  if (surplus_seen_) {
    surplus_seen_ = false;
    stock_pool(0);
    owner_.home().policy().surplus(owner_);
  }
  stock_pool(1);
  set_push_limit();
  set_marks();
}

/// The policy is told later, between fibers or at the next spawn, because the token that is being
/// pushed is not written yet.
void own_tokens::note_surplus() {
  const int mark = owner_.home().policy().surplus_mark();
  if (mark < 0 || owner_.home().exchange().queued() < mark) return;
  surplus_seen_ = true;
  owner_.notice();
}

void own_tokens::make_room() {
  token_stack::make_room();
  set_limit(end());
  rearm_ = nullptr;
  owner_.notice();  // the marks below `stocked` and `push_limit` have moved
}

// --- a spawn that a mark has stopped ---

/// What terrane_spawn_inline found if tokens were not recorded.
bool own_tokens::has_enough() const {
  return owner_.top >= TERRANE_LOAD_RELAXED(&stocked_mark_) &&
         terrane_stack_here() > owner_.stack_floor;
}

bool own_tokens::may_run_child() {
  if (TERRANE_UNLIKELY(owner_.records(event_class::graph))) graph_names_token(owner_);
  if (is_recorded() && has_enough()) {
    ++owner_.inlined;
    owner_.writer().put<event_id::token_inlined>();
    graph_unclear(owner_, graph_inlined);
    return true;
  }
  owner_.world().crew.spawning(owner_);
  owner_.heed_if_asked();
  stock_pool(0);
  // Work that became ready meanwhile should not wait for a whole tree of inline children: queue
  // this child, so that the C stack unwinds to the loop.
  const bool others_wait = owner_.stopping() || owner_.has_ready();
  if (others_wait || shared_.hungry() ||
      owner_.top - owner_.bottom < owner_.home().policy().enough())
    return false;
  const bool no_room =
      TERRANE_RARE("core.stack_floor_reached", terrane_stack_here() <= owner_.stack_floor);
  if (no_room) return false;
  set_marks();  // another processor may have filled the pool: back to the fast path
  ++owner_.inlined;
  if (is_recorded()) {
    owner_.writer().put<event_id::token_inlined>();
    graph_unclear(owner_, graph_inlined);
  }
  return true;
}

void own_tokens::before_push(const terrane_function& function) {
  if (is_recorded()) {
    owner_.writer().put<event_id::token_queued>(&function);
    if (owner_.top < push_mark_) return graph_token_made(owner_, *owner_.top, function);
  }
  if (TERRANE_RARE("core.token_stack_moves", owner_.top >= end())) make_room();
  note_surplus();
  set_push_limit();
  if (is_recorded()) graph_token_made(owner_, *owner_.top, function);
}

void own_tokens::after_kept_push() {
  if (is_recorded()) {
    owner_.writer().put<event_id::token_queued>(owner_.top[-1].function);
    graph_unclear(owner_, "futures");
    if (owner_.top < TERRANE_LOAD_RELAXED(&spawn_mark_)) return;
  }
  after_push();
}

void own_tokens::after_push() {
  owner_.world().crew.spawning(owner_);
  owner_.heed_if_asked();
  stock_pool(kept_);
  if (owner_.top >= end()) make_room();
  if (owner_.top >= push_mark_) note_surplus();
  set_push_limit();
  set_marks();
}

void own_tokens::after_settling(bool in_vain) {
  kept_ = in_vain ? std::min(kept_ + 1, kept_most) : 0;
  set_push_limit();
  set_marks();
}

// --- in and out ---

std::uint32_t own_tokens::share(const terrane_token& token) {
  if (is_recorded()) graph_unclear(owner_, "threads");
  const auto place = owner_.home().exchange().share(owner_, token);
  if (place) {
    ++owner_.queued;
    note_surplus();
  } else {
    std::memcpy(terrane_token_push(&owner_, token.function), token.args, sizeof token.args);
  }
  after_push();
  return place.value_or(0);
}

void own_tokens::stock_pool(std::ptrdiff_t keep) {
  if (!shared_.hungry()) return;
  const int surplus = owner_.home().policy().surplus_mark();
  const auto mark = static_cast<std::uint32_t>(std::max(0, surplus));
  const bool above = surplus < 0 || shared_.size() > mark;
  if (owner_.home().exchange().fill_from(owner_, keep) == 0) return;
  // The pool alone holds more than the surplus limit. No push would detect that, because the stack
  // is empty each time.
  if (!above && shared_.size() > mark) {
    surplus_seen_ = true;
    owner_.notice();
  }
  set_marks();
}

bool own_tokens::take_newest_to_leave(terrane_token& token) {
  trim();
  if (size() == 0 || is_kept(owner_.top[-1]) || !may_leave_node(owner_.top[-1])) return false;
  token = owner_.top[-1];
  --owner_.top;
  set_push_limit();
  set_marks();
  return true;
}

bool own_tokens::take_back(const object& waits, terrane_token& token) {
  const terrane_slot_ref name = waits.name();
  return owner_.home().exchange().take_back(owner_, token, [&](const terrane_token& seen) {
    return is_kept(seen) && std::memcmp(arguments_of(seen), &name, sizeof name) == 0;
  });
}

const terrane_token* own_tokens::next(terrane_token& room) {
  if (owner_.top == owner_.bottom) return nullptr;
  if (TERRANE_UNLIKELY(is_kept(owner_.top[-1]))) {
    trim();
    if (size() == 0) return nullptr;
    take_oldest(room);
    set_push_limit();
    return &room;
  }
  terrane_token* const newest = owner_.top - 1;
  owner_.top = newest;
  show();
  if (TERRANE_UNLIKELY(newest <= rearm_)) set_push_limit();
  return newest;
}

}  // namespace terrane
