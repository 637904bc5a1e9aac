// SPDX-License-Identifier: Apache-2.0
// inbox_ring.hpp: a bounded queue with many writers and one reader, in the order of arrival.
//
// Invariants  Cell i of round r is free for its writer while turn == 2r, and holds a value for the
//             reader while turn == 2r + 1. A writer owns the cell whose ticket it drew by
//             compare-and-swap; no ticket is drawn for a cell that is not free, so a full ring
//             refuses and is never torn. Two pushes of one thread draw rising tickets: their order
//             is kept.
// Cost        Push: one compare-and-swap and the copy. Pop: two plain loads and stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/base/atomic.hpp"
#include "terrane/base/check.hpp"

namespace terrane {

template <class T>
class inbox_ring {
 public:
  /// capacity: a power of two.
  explicit inbox_ring(std::size_t capacity) : mask_(capacity - 1), cells_(new cell[capacity]) {
    TERRANE_CHECK(capacity != 0 && (capacity & mask_) == 0);
  }

  /// Any thread. False when the ring is full: nothing was written.
  bool push(const T& value) {
    std::uint64_t ticket = tail_.load(memory_order_relaxed);
    for (;;) {
      cell& mine = cells_[ticket & mask_];
      // acquire pairs with the reader's release: the old value was copied out before we overwrite
      // it.
      const std::uint64_t turn = mine.turn.load(memory_order_acquire);
      const std::uint64_t free = ticket / (mask_ + 1) * 2;
      if (turn == free) {
        // seq_cst: the writer goes on to ask whether the reader sleeps (see parker.hpp).
        if (tail_.compare_exchange_weak(ticket, ticket + 1, memory_order_seq_cst,
                                        memory_order_relaxed)) {
          mine.value = value;
          // release pairs with the reader's acquire; seq_cst for the question that follows.
          mine.turn.store(free + 1, memory_order_seq_cst);
          return true;
        }
      } else if (turn < free) {
        return false;  // the cell still holds last round's value: full
      } else {
        ticket = tail_.load(memory_order_relaxed);
      }
    }
  }

  /// The reader only.
  bool pop(T& value) {
    cell& next = cells_[head_ & mask_];
    const std::uint64_t full = head_ / (mask_ + 1) * 2 + 1;
    if (next.turn.load(memory_order_acquire) != full) return false;
    value = next.value;
    next.turn.store(full + 1, memory_order_release);
    ++head_;
    return true;
  }

  /// The reader only: seq_cst, so that it may follow parker::prepare.
  bool empty() const {
    return cells_[head_ & mask_].turn.load(memory_order_seq_cst) != head_ / (mask_ + 1) * 2 + 1;
  }

 private:
  struct alignas(64) cell {
    atomic<std::uint64_t> turn{0};
    T value;
  };
  const std::uint64_t mask_;
  const std::unique_ptr<cell[]> cells_;
  // the reader only
  alignas(64) std::uint64_t head_ = 0;
  // any writer
  alignas(64) atomic<std::uint64_t> tail_{0};
};

}  // namespace terrane
