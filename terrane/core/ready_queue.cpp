// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/ready_queue.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "terrane/core/processor.hpp"
#include "terrane/core/token.hpp"

namespace terrane {

namespace {

constexpr std::uint32_t ring_least = 16;

}  // namespace

ready_queue::ready_queue(const token_pool& shared)
    : terrane_processor{}, shared_(shared), ring_(new terrane_ready[ring_least]) {
  ready = ring_.get();
  ready_mask = ring_least - 1;
}

ready_queue::~ready_queue() {
  while (!invoked_.empty()) drop_token(invoked_.pop_front());
}

void ready_queue::make_ready_slow(terrane_frame& frame, const terrane_fiber& fiber) {
  const terrane_ready next{frame.name, &fiber};
  if (TERRANE_UNLIKELY(records(event_class::ready))) record<true>(next);
  if (fiber.priority != TERRANE_PRIORITY_DEFAULT) {
    other_levels_[fiber.priority & 7].push_back(next);
    mark(1u << (fiber.priority & 7), true);
    return;
  }
  grow();
  ready[ready_tail++ & ready_mask] = next;
}

void ready_queue::grow() {
  const std::uint32_t size = ready_tail - ready_head;
  const std::uint32_t larger = std::max(ring_least, std::bit_ceil(size + 1));
  std::unique_ptr<terrane_ready[]> ring(new terrane_ready[larger]);
  for (std::uint32_t i = 0; i < size; ++i) ring[i] = ready[(ready_head + i) & ready_mask];
  ring_ = std::move(ring);
  ready = ring_.get();
  ready_mask = larger - 1;
  ready_head = 0;
  ready_tail = size;
}

/// While nothing is ready outside the ring, the end of the ring comes after all that is ready.
void ready_queue::make_ready_last(terrane_frame& frame, const terrane_fiber& fiber) {
  const bool ring_alone = (beside_ & (ready_levels | some_yielded | some_invoked)) == 0;
  if (fiber.priority == TERRANE_PRIORITY_DEFAULT && ring_alone && !tokens_wait())
    return make_ready(frame, fiber);
  mark(some_yielded, true);
  yielded_.push_back({frame.name, &fiber});
}

bool ready_queue::append_yielded() {
  mark(some_yielded, false);
  while (!yielded_.empty()) {
    const terrane_ready next = yielded_.pop_front();
    make_ready(*terrane_frame_at(this, next.frame), *next.fiber);
  }
  return true;
}

void ready_queue::invoke(const terrane_token& token) {
  if (TERRANE_UNLIKELY(records(event_class::token))) {
    event_writer& writer = static_cast<processor*>(this)->writer();
    writer.look();
    writer.put<event_id::token_invoked>(token.function);
  }
  invoked_.push_back(token);
  mark(some_invoked, true);
}

bool ready_queue::take_first_invoked(terrane_token& token) {
  token = invoked_.pop_front();
  mark(some_invoked, !invoked_.empty());
  return true;
}

bool ready_queue::take_from_level(terrane_ready& next) {
  const int level = __builtin_ctz(beside_);
  next = other_levels_[level].pop_front();
  if (TERRANE_UNLIKELY(records(event_class::ready))) record<false>(next);
  if (other_levels_[level].empty()) mark(1u << level, false);
  return true;
}

bool ready_queue::take_of(const terrane_frame& frame, terrane_ready& next) {
  std::uint32_t first = ready_tail - 1;
  while (first != ready_head && ready[(first - 1) & ready_mask].frame == frame.name) --first;
  if (first != ready_head) return false;
  next = ready[ready_head++ & ready_mask];
  if (TERRANE_UNLIKELY(records(event_class::ready))) record<false>(next);
  return true;
}

bool ready_queue::take_back(const terrane_frame& frame) {
  for (std::uint32_t i = ready_head; i != ready_tail; ++i) {
    const terrane_ready here = ready[i & ready_mask];
    if (here.frame != frame.name) continue;
    for (; i != ready_head; --i) ready[i & ready_mask] = ready[(i - 1) & ready_mask];
    ++ready_head;
    if (TERRANE_UNLIKELY(records(event_class::ready))) record<false>(here);
    return true;
  }
  terrane_ready found{};
  const auto take_from = [&](ring_queue<terrane_ready>& queue) {
    for (std::size_t i = 0; i != queue.size(); ++i)
      if (queue[i].frame == frame.name) return found = queue.take(i), true;
    return false;
  };
  for (std::uint32_t level = 0; level < other_levels_.size(); ++level) {
    if (!take_from(other_levels_[level])) continue;
    if (TERRANE_UNLIKELY(records(event_class::ready))) record<false>(found);
    mark(1u << level, !other_levels_[level].empty());
    return true;
  }
  if (!take_from(yielded_)) return false;  // these are not counted as ready
  mark(some_yielded, !yielded_.empty());
  return true;
}

template <bool Ready>
void ready_queue::record(const terrane_ready& what) {
  constexpr event_id id = Ready ? event_id::fiber_ready : event_id::fiber_unready;
  event_writer& writer = static_cast<processor*>(this)->writer();
  writer.put<id>(what.fiber, what.frame);
  if (Ready && TERRANE_UNLIKELY(heeds_ready_)) static_cast<processor*>(this)->notice();
}
template void ready_queue::record<true>(const terrane_ready&);
template void ready_queue::record<false>(const terrane_ready&);

}  // namespace terrane
