// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_heap.hpp"

#include <algorithm>
#include <utility>

#ifdef TERRANE_ASAN
#include <sanitizer/asan_interface.h>
#endif

#include "terrane/core/failure.hpp"
#include "terrane/thread/handlers.hpp"
#include "terrane/thread/thread_seat.hpp"

namespace terrane {

thread_heap* thread_heap::make(bool moves) {
  area& first = take_area(sizeof(thread_heap), moves);
  return ::new (take_from(first, sizeof(thread_heap), alignof(thread_heap)))
      thread_heap(first, moves);
}

void* thread_heap::find(const void* key) const {
  for (const kept* each = objects_; each; each = each->before)
    if (each->key == key) return each->object;
  return nullptr;
}

void thread_heap::keep(const void* key, void* object, void (*destroy)(void*), bool stays) {
  objects_ = ::new (allocate(sizeof(kept), alignof(kept))) kept{objects_, key, object, destroy};
  stays_ = stays_ || stays;
}

// --- areas ---

/// The area begins behind the pattern that guards it as a stack. If there is no room where the
/// stacks of moving threads lie, it comes from the processor's own pool, and cannot move.
thread_heap::area& thread_heap::take_area(std::size_t bytes, bool moves) {
  thread_seat& seat = thread_seat::here();
  // Twice what is wanted, since a guard is part of an area.
  const std::size_t room =
      std::max(stack_pool::bytes_min, 2 * (bytes + sizeof(area) + stack_pool::pattern_bytes));
  stack its = (moves ? seat.moving_stacks() : seat.stacks).take(room);
  const bool stays = moves && !its.span.low;
  if (stays) its = seat.stacks.take(room);
  if (!its.span.low)
    fail(run_time_error::out_of_memory, "no memory for %zu bytes of a thread's heap", bytes);
#ifdef TERRANE_ASAN  // a thread's frames may have been left there, not returned from
  __asan_unpoison_memory_region(its.span.low, its.span.bytes);
#endif
  return *::new (its.span.low + stack_pool::pattern_bytes)
      area{nullptr, its, seat.of.number, stays, sizeof(area)};
}

/// Takes a piece from that area. Null: the area has no room for it.
void* thread_heap::take_from(area& from, std::size_t bytes, std::size_t alignment) {
  char* const start = reinterpret_cast<char*>(&from);
  const auto free = reinterpret_cast<std::uintptr_t>(start + from.used);
  const std::uintptr_t at = (free + alignment - 1) & ~(alignment - 1);
  if (at + bytes > reinterpret_cast<std::uintptr_t>(from.its.span.high())) return nullptr;
  from.used = at + bytes - reinterpret_cast<std::uintptr_t>(start);
  return reinterpret_cast<void*>(at);
}

thread_heap::size_class thread_heap::class_of(std::size_t bytes) {
  if (bytes <= 1024) {
    const std::size_t steps = std::max<std::size_t>(1, (bytes + 15) / 16);
    return {static_cast<std::uint32_t>(steps - 1), steps * 16};
  }
  const auto power = static_cast<std::uint32_t>(63 - __builtin_clzl(bytes - 1));
  const std::size_t low = std::size_t{1} << power, step = low / 4;
  const std::size_t steps = (bytes - low + step - 1) / step;
  return {static_cast<std::uint32_t>(64 + 4 * (power - 10) + steps - 1), low + steps * step};
}

void thread_heap::do_deallocate(void* piece, std::size_t bytes, std::size_t) {
  const thread_block* const running = thread_block::current();
  if (!running || running->heap_or_null() != this || bytes > stack_pool::bytes_max) return;
  free_piece*& free = free_[class_of(bytes).number];
  free = ::new (piece) free_piece{free};
}

void* thread_heap::do_allocate(std::size_t asked, std::size_t alignment) {
  if (asked > stack_pool::bytes_max)
    fail(run_time_error::out_of_memory, "no memory for %zu bytes of a thread's heap", asked);
  const auto [number, bytes] = class_of(asked);
  free_piece*& free = free_[number];
  if (free && (reinterpret_cast<std::uintptr_t>(free) & (alignment - 1)) == 0)
    return std::exchange(free, free->before);
  if (void* const found = take_from(*last_, bytes, alignment)) return found;
  area& next = take_area(bytes + alignment, moves_);
  next.before = std::exchange(last_, &next);
  stays_ = stays_ || next.stays;
  return take_from(next, bytes, alignment);
}

namespace {

void take_back(std::uint64_t low, std::uint64_t bytes, std::uint32_t size_class,
               stack_guard guarded) {
  thread_seat::here().give_back(
      {{reinterpret_cast<char*>(low), static_cast<std::size_t>(bytes)}, size_class, guarded});
}

}  // namespace

void thread_heap::unmake() {
  for (const kept* each = objects_; each; each = each->before) each->destroy(each->object);
  if (!terrane_is_processor()) return;  // after the run: the pools are gone with the machine
  for (const area* next = last_; next;) {
    const area one = *next;  // a copy: others may take the area when it has been given back
    next = one.before;
    post<take_back>(one.owner, reinterpret_cast<std::uintptr_t>(one.its.span.low),
                    one.its.span.bytes, one.its.size_class, one.its.guarded);
  }
}

}  // namespace terrane
