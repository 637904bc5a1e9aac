// SPDX-License-Identifier: Apache-2.0
// stack_pool.hpp: the stacks of one processor's threads.
//
// Layout      A stretch of address space is filled from its start with stacks, one after the other.
//             Each has a power of two bytes, with a guard at its low end. The stretch is one
//             mapping; pages are committed on first touch. A pool that reserves its own stretch
//             reserves another when that is full.
// Invariants  A stack keeps its size and its guard for the whole run; the one that was given back
//             last is used first. The stretch is the pool's own, or lies where a world says: at the
//             same addresses on every node, so that a thread's stack is valid on each. A guard
//             belongs to one process: see visiting_guards.
// Guards      MADV_GUARD_INSTALL needs no mapping (Linux 6.13, for shared memory 6.15). On older
//             systems pages are protected, which takes two mappings for each stack, until the
//             system's 65,530 mappings are used up. After that a pattern at the low end is checked
//             whenever the thread stops running.
// Cost        take: a pop; give_back: a push. The first use of a stack: one system call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "terrane/base/context.hpp"

namespace terrane {

enum class stack_guard : std::uint32_t { installed, protected_page, pattern, none };

/// The stack of one thread: the thread may use `span`; the guard lies below it.
struct stack {
  stack_span span;
  std::uint32_t size_class;
  stack_guard guarded;
};

/// Makes guards in this process, as good as the system offers.
class guard_maker {
 public:
  explicit guard_maker(stack_guard best) : best_(best) {}
  ~guard_maker();
  guard_maker(const guard_maker&) = delete;
  guard_maker& operator=(const guard_maker&) = delete;

  /// Makes a guard there. pattern: the system refused, and the caller must lay a pattern.
  stack_guard make(stack_span where);

 private:
  stack_guard best_;  // a kind that the system refused once is not tried again
  std::size_t pages_protected_ = 0;
};

class stack_pool {
 public:
  static constexpr std::size_t bytes_min = std::size_t{16} << 10;
  static constexpr std::size_t bytes_max = std::size_t{1} << 30;
  static constexpr std::size_t bytes_default = std::size_t{256} << 10;
  /// The address space that a pool with its own stretches reserves at a time: 262,144 stacks of the
  /// default size.
  static constexpr std::size_t own_bytes = std::size_t{64} << 30;

  /// A pool in a stretch that is mapped already, readable and writable.
  explicit stack_pool(stack_span stretch, stack_guard best = stack_guard::installed);
  /// A pool that reserves its own stretches.
  stack_pool();
  ~stack_pool();
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  /// The class of stacks with at least this many bytes, guard included; at most bytes_max.
  static constexpr std::uint32_t class_of(std::size_t bytes) {
    if (bytes <= bytes_min) return 0;
    if (bytes > bytes_max) return classes;  // no such class
    return static_cast<std::uint32_t>(64 - __builtin_clzl((bytes - 1) / bytes_min));
  }
  static constexpr std::size_t class_bytes(std::uint32_t size_class) {
    return bytes_min << size_class;
  }

  /// Takes a stack; its span is empty when no address space is left.
  stack take(std::size_t bytes) { return take_class(class_of(bytes)); }
  /// The same, by reference: valid until the next call of this pool.
  const stack& take_class(std::uint32_t size_class) {
    free_stacks& free = free_[size_class];
    if (__builtin_expect(free.end == free.first, 0)) return take_cold(size_class);
    return *--free.end;
  }
  /// The caller may still run on the stack until the next one is taken, if the list of its size is
  /// not full.
  void give_back(const stack& ended) {
    free_stacks& free = free_[ended.size_class];
    if (__builtin_expect(free.end == free.full, 0)) return give_back_cold(ended);
    *free.end++ = ended;
  }

  /// True if the list of that size is full: a stack that is given back now loses its pages, or is
  /// the first of its size that comes back.
  bool is_full(const stack& like) const {
    return free_[like.size_class].end == free_[like.size_class].full;
  }

  bool holds(const stack& which) const {
    return which.span.low >= stretch_.low && which.span.low < stretch_.high();
  }
  /// The guard of a stack, where an overflow faults.
  static stack_span guard_of(const stack& of) {
    const std::size_t bytes = guard_bytes(of.size_class);
    return {of.span.low - bytes, bytes};
  }
  /// The pattern takes the pattern_bytes lowest bytes of the span. pattern_is_whole: true while the
  /// pattern is intact.
  static constexpr std::size_t pattern_bytes = 512;
  static void lay_pattern(const stack& of);
  static bool pattern_is_whole(const stack& of);

 private:
  /// How many free stacks of a size keep the pages that they touched.
  static constexpr std::size_t kept_committed = 256;
  static constexpr std::uint32_t classes = 17;  // 16 KiB to 1 GiB

  static constexpr std::size_t guard_bytes(std::uint32_t size_class) {
    return size_class < 2 ? 4096 : class_bytes(size_class) / 16;
  }
  /// The free stacks of one size. warm: those that keep their pages, newest last; cold: the others.
  struct alignas(64) free_stacks {
    stack *end = nullptr, *first = nullptr, *full = nullptr;
    std::unique_ptr<stack[]> warm;
    std::vector<stack> cold;
  };
  const stack& take_cold(std::uint32_t size_class);
  void give_back_cold(const stack& ended);
  stack make(std::uint32_t size_class);
  bool make_room(std::size_t bytes);
  static void decommit(const stack& ended);

  stack_span stretch_;  // the last one reserved
  const bool own_;
  guard_maker guards_;
  std::size_t used_ = 0;             // bytes of stretch_ in use
  std::vector<stack_span> full_;     // the stretches before it
  stack taken_;                      // what take_cold() returned last
  std::vector<unsigned> announced_;  // numbers of stacks that valgrind knows
  free_stacks free_[classes + 1];
};

/// Guards that this process makes for stacks that come from other processes, in shared memory. A
/// guard is made when a stack comes for the first time, and lasts as long as the process.
class visiting_guards {
 public:
  stack_guard of(const stack& come);

 private:
  guard_maker guards_{stack_guard::installed};
  std::unordered_map<const char*, stack_guard> known_;  // by the stack's low end
  const char* last_ = nullptr;                          // the low end of the stack that came last
  stack_guard of_last_ = stack_guard::none;
};

}  // namespace terrane
