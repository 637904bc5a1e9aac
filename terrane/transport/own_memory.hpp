// SPDX-License-Identifier: Apache-2.0
// own_memory.hpp: which addresses are this process's, so that a place that another process made up
// is refused instead of followed.
//
// Invariants  One thread's. What was found mapped is believed to stay so; what was not is looked up
//             anew in the kernel's table before it is refused.
// Cost        Two compares where the last range asked for serves again.
#pragma once

#include <cstdint>
#include <vector>

namespace terrane {

class own_memory {
 public:
  /// True if all of `bytes` from `address` on may be read, and written if `to_write`.
  bool holds(const void* address, std::size_t bytes, bool to_write);

 private:
  struct range {
    std::uintptr_t start, end;
    bool writable;
  };
  bool found(std::uintptr_t start, std::uintptr_t end, bool to_write);
  void look_up();

  std::vector<range> ranges_;  // by address; neighbours of one kind are one
  std::size_t last_ = 0;
};

}  // namespace terrane
