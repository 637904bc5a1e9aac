// SPDX-License-Identifier: Apache-2.0
// shm_heap.hpp: blocks for large messages in memory that other processes read.
//
// Invariants  One processor takes blocks. A reader marks a block as free in the word before it, and
//             only then may the block be taken again. The reader's last reads come before its
//             release store to that word; the taker's next writes come after its acquire load of
//             it.
// Cost        Blocks are given back in about the order in which they were taken, so it is enough to
//             check the newest (whose memory is in the cache) and the oldest of a size. Sizes are
//             powers of two, at least one cache line, so that the words before blocks are aligned.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <new>

#include "terrane/base/atomic.hpp"

namespace terrane {

class shm_heap {
 public:
  /// memory: must be aligned to 64 bytes.
  shm_heap(unsigned char* memory, std::size_t bytes) : next_(memory), end_(memory + bytes) {}

  /// Null when there is no room left.
  unsigned char* take(std::size_t bytes) {
    const std::size_t size = std::max(sizeof(head), std::bit_ceil(bytes));
    auto& made = made_[static_cast<std::size_t>(std::countr_zero(size))];
    if (made.empty() || !made.back()->given_back()) {
      if (!made.empty() && made.front()->given_back()) {
        made.push_back(made.front());
        made.pop_front();
      } else {
        if (sizeof(head) + size > static_cast<std::size_t>(end_ - next_)) return nullptr;
        made.push_back(::new (next_) head);
        next_ += sizeof(head) + size;
      }
    }
    made.back()->in_use.store(1, memory_order_relaxed);
    return reinterpret_cast<unsigned char*>(made.back() + 1);
  }

  /// Any process that maps the memory may call it.
  static void give_back(unsigned char* block) {
    (reinterpret_cast<head*>(block) - 1)->in_use.store(0, memory_order_release);
  }

 private:
  struct alignas(64) head {
    bool given_back() const { return in_use.load(memory_order_acquire) == 0; }
    atomic<std::uint32_t> in_use{0};
  };

  unsigned char* next_;
  unsigned char* const end_;
  std::deque<head*> made_[64];  // by log2 of the size; the block taken longest ago is first
};

}  // namespace terrane
