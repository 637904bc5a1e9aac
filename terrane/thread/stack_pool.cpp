// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/stack_pool.hpp"

#include <sys/mman.h>

#include <cstring>

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

namespace terrane {

namespace {

// A process has 65,530 mappings unless told otherwise, and others want some.
constexpr std::size_t pages_protected_max = 24'000;
constexpr std::uint64_t pattern_word = 0x7e22a9e57ac4b07full;
constexpr std::size_t pattern_words = stack_pool::pattern_bytes / sizeof pattern_word;

/// As much as the system gives, at most `bytes`.
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

stack_pool::stack_pool(stack_span stretch, stack_guard best)
    : stretch_(stretch), own_(false), best_(best) {}

stack_pool::stack_pool()
    : stretch_(reserve(own_bytes)), own_(true), best_(stack_guard::installed) {}

stack_pool::~stack_pool() {
  for (const unsigned each : announced_) forget_stack(each);
  if (own_ && stretch_.low) munmap(stretch_.low, stretch_.bytes);
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

stack stack_pool::make(std::uint32_t size_class) {
  const std::size_t bytes = class_bytes(size_class), guarded = guard_bytes(size_class);
  if (size_class >= classes || bytes > stretch_.bytes - used_) return {};
  char* const low = stretch_.low + used_;
  used_ += bytes;
  stack made{{low + guarded, bytes - guarded}, size_class, guard({low, guarded})};
  if (made.guarded == stack_guard::pattern)
    for (std::size_t i = 0; i < pattern_words; ++i) pattern_of(made)[i] = pattern_word;
  announced_.push_back(announce_stack(made.span));
  return made;
}

/// The best that the system offers now; what it refused once is not asked for again.
stack_guard stack_pool::guard(stack_span where) {
  if (best_ == stack_guard::installed) {
    if (madvise(where.low, where.bytes, MADV_GUARD_INSTALL) == 0) return best_;
    best_ = stack_guard::protected_page;
  }
  if (best_ == stack_guard::protected_page) {
    if (pages_protected_ < pages_protected_max &&
        mprotect(where.low, where.bytes, PROT_NONE) == 0) {
      ++pages_protected_;
      return best_;
    }
    best_ = stack_guard::pattern;
  }
  return best_;
}

bool stack_pool::pattern_is_whole(const stack& of) {
  for (std::size_t i = 0; i < pattern_words; ++i)
    if (pattern_of(of)[i] != pattern_word) return false;
  return true;
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
