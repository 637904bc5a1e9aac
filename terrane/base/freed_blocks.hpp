// SPDX-License-Identifier: Apache-2.0
// freed_blocks.hpp: the blocks that were freed last, kept for a while, so that who frees one again
// is told.
//
// Invariants  While a block is kept nobody else has its address: to be asked to free it can only be
//             a mistake. The newest is kept whatever its size.
#pragma once

#include <malloc.h>

#include <cstddef>
#include <cstdlib>

#include "terrane/base/ring_queue.hpp"

namespace terrane {

class freed_blocks {
 public:
  static constexpr std::size_t blocks_max = 64, bytes_max = std::size_t{1} << 20;

  freed_blocks() = default;
  freed_blocks(const freed_blocks&) = delete;
  freed_blocks& operator=(const freed_blocks&) = delete;
  ~freed_blocks() {
    while (!kept_.empty()) let_go();
  }

  /// False: it is freed already.
  bool add(void* block) {
    if (!block) return true;
    for (std::size_t i = 0; i != kept_.size(); ++i)
      if (kept_[i] == block) return false;
    kept_.push_back(block);
    bytes_ += malloc_usable_size(block);
    while (kept_.size() > 1 && (kept_.size() > blocks_max || bytes_ > bytes_max)) let_go();
    return true;
  }

 private:
  void let_go() {
    void* const oldest = kept_.pop_front();
    bytes_ -= malloc_usable_size(oldest);
    std::free(oldest);
  }

  ring_queue<void*> kept_;  // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace terrane
