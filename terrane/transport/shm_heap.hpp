// SPDX-License-Identifier: Apache-2.0
// shm_heap.hpp: blocks for large messages in memory that other processes read.
//
// Invariants  Owned by one processor: it alone takes blocks and puts them back. Sizes are powers of
//             two; a block that came back is the next of its size, so that it is warm.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace terrane {

class shm_heap {
 public:
  shm_heap(unsigned char* memory, std::size_t bytes) : next_(memory), end_(memory + bytes) {}

  /// Null when there is no room left.
  unsigned char* take(std::size_t bytes) {
    const std::size_t size = std::bit_ceil(bytes);
    auto& free = free_[static_cast<std::size_t>(std::countr_zero(size))];
    if (!free.empty()) {
      unsigned char* const warm = free.back();
      free.pop_back();
      return warm;
    }
    if (size > static_cast<std::size_t>(end_ - next_)) return nullptr;
    next_ += size;
    return next_ - size;
  }
  void put_back(unsigned char* block, std::size_t bytes) {
    free_[static_cast<std::size_t>(std::countr_zero(std::bit_ceil(bytes)))].push_back(block);
  }

 private:
  unsigned char* next_;
  unsigned char* const end_;
  std::vector<unsigned char*> free_[64];
};

}  // namespace terrane
