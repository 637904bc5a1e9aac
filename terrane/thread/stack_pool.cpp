// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/stack_pool.hpp"

#include <sys/mman.h>

#include <cstring>

#include "terrane/base/atomic.hpp"

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

namespace terrane {

namespace {

// A process may have 65,530 mappings by default; some are left for other uses.
constexpr std::size_t pages_protected_max = 24'000;
/// Counts for the whole process, as the limit does. Any thread adds and reads; relaxed, since it is
/// a count that orders nothing.
atomic<std::size_t> pages_protected{0};
constexpr std::uint64_t pattern_word = 0x7e22a9e57ac4b07full;
constexpr std::size_t pattern_words = stack_pool::pattern_bytes / sizeof pattern_word;

/// Reserves as much address space as the system gives, at most `bytes`.
stack_span reserve(std::size_t bytes) {
  for (; bytes >= stack_pool::bytes_default; bytes /= 2) {
    void* low = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (low == MAP_FAILED) continue;
    // No huge pages: a thread touches few pages, and 2 MiB for each would use up the memory.
    madvise(low, bytes, MADV_NOHUGEPAGE);
    return {static_cast<char*>(low), bytes};
  }
  return {};
}

std::uint64_t* pattern_of(const stack& of) { return reinterpret_cast<std::uint64_t*>(of.span.low); }

}  // namespace

// --- guards ---

guard_maker::~guard_maker() { pages_protected.fetch_sub(pages_protected_, memory_order_relaxed); }

stack_guard guard_maker::make(stack_span where) {
  if (best_ == stack_guard::installed) {
    if (madvise(where.low, where.bytes, MADV_GUARD_INSTALL) == 0) return best_;
    best_ = stack_guard::protected_page;
  }
  if (best_ == stack_guard::protected_page) {
    const bool some_left = pages_protected.fetch_add(1, memory_order_relaxed) < pages_protected_max;
    if (some_left && mprotect(where.low, where.bytes, PROT_NONE) == 0) {
      ++pages_protected_;
      return best_;
    }
    pages_protected.fetch_sub(1, memory_order_relaxed);
    best_ = stack_guard::pattern;
  }
  return best_;
}

void stack_pool::lay_pattern(const stack& of) {
  for (std::size_t i = 0; i < pattern_words; ++i) pattern_of(of)[i] = pattern_word;
}

bool stack_pool::pattern_is_whole(const stack& of) {
  for (std::size_t i = 0; i < pattern_words; ++i)
    if (pattern_of(of)[i] != pattern_word) return false;
  return true;
}

stack_guard visiting_guards::of(const stack& come) {
  if (come.span.low == last_) return of_last_;
  const auto [known, fresh] = known_.try_emplace(come.span.low, stack_guard::none);
  if (fresh) known->second = guards_.make(stack_pool::guard_of(come));
  last_ = come.span.low;
  return of_last_ = known->second;
}

// --- the pool ---

stack_pool::stack_pool(stack_span stretch, stack_guard best)
    : stretch_(stretch), own_(false), guards_(best) {}

stack_pool::stack_pool()
    : stretch_(reserve(own_bytes)), own_(true), guards_(stack_guard::installed) {}

stack_pool::~stack_pool() {
  for (const unsigned each : announced_) forget_stack(each);
  if (!own_) return;
  full_.push_back(stretch_);
  for (const stack_span& each : full_)
    if (each.low) munmap(each.low, each.bytes);
}

const stack& stack_pool::take_cold(std::uint32_t size_class) {
  std::vector<stack>& cold = free_[size_class].cold;
  if (cold.empty()) return taken_ = make(size_class);
  taken_ = cold.back();
  cold.pop_back();
  return taken_;
}

void stack_pool::give_back_cold(const stack& ended) {
  free_stacks& free = free_[ended.size_class];
  if (!free.warm) {
    free.warm.reset(new stack[kept_committed]);
    free.first = free.end = free.warm.get();
    free.full = free.first + kept_committed;
    *free.end++ = ended;
    return;
  }
  decommit(ended);
  free.cold.push_back(ended);
}

/// A pool with its own stretches reserves another one when the last is full.
bool stack_pool::make_room(std::size_t bytes) {
  if (bytes <= stretch_.bytes - used_) return true;
  if (!own_) return false;
  const stack_span further = reserve(own_bytes);
  if (!further.low) return false;
  full_.push_back(stretch_);
  stretch_ = further;
  used_ = 0;
  return bytes <= stretch_.bytes;
}

stack stack_pool::make(std::uint32_t size_class) {
  const std::size_t bytes = class_bytes(size_class), guarded = guard_bytes(size_class);
  if (size_class >= classes || !make_room(bytes)) return {};
  char* const low = stretch_.low + used_;
  used_ += bytes;
  stack made{{low + guarded, bytes - guarded}, size_class, guards_.make({low, guarded})};
  empty_stack(made.span);  // a thread of an earlier run may have been left there
  if (made.guarded == stack_guard::pattern) lay_pattern(made);
  announced_.push_back(announce_stack(made.span));
  return made;
}

/// A stack that will not be reused soon gives its pages back, except the highest, which is touched
/// first, and the lowest, where a pattern may lie.
void stack_pool::decommit(const stack& ended) {
  constexpr std::size_t page = 4096;
  if (ended.span.bytes <= 2 * page) return;
  char* const low = ended.span.low + page;
  const std::size_t bytes = ended.span.bytes - 2 * page;
  // Shared pages are removed from their file; private ones have no file.
  if (madvise(low, bytes, MADV_REMOVE) != 0) madvise(low, bytes, MADV_DONTNEED);
}

}  // namespace terrane
