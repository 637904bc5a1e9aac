// SPDX-License-Identifier: Apache-2.0
// shared_block.hpp: memory that this process shares with those that it forks.
#pragma once

#include <sys/mman.h>

#include <cstddef>

namespace terrane {

/// Zeroed; pages are committed on first touch.
class shared_block {
 public:
  explicit shared_block(std::size_t bytes)
      : bytes_(bytes),
        memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~shared_block() {
    if (memory_ != MAP_FAILED) munmap(memory_, bytes_);
  }
  shared_block(const shared_block&) = delete;
  shared_block& operator=(const shared_block&) = delete;

  /// Null: the system has none.
  void* memory() const { return memory_ == MAP_FAILED ? nullptr : memory_; }

 private:
  const std::size_t bytes_;
  void* const memory_;
};

}  // namespace terrane
