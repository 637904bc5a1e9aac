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
#include <deque>

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
    for (const void* each : kept_)
      if (each == block) return false;
    kept_.push_back(block);
    bytes_ += malloc_usable_size(block);
    while (kept_.size() > 1 && (kept_.size() > blocks_max || bytes_ > bytes_max)) let_go();
    return true;
  }

 private:
  void let_go() {
    bytes_ -= malloc_usable_size(kept_.front());
    std::free(kept_.front());
    kept_.pop_front();
  }

  std::deque<void*> kept_;  // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace terrane
