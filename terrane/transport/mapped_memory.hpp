// SPDX-License-Identifier: Apache-2.0
// mapped_memory.hpp: which addresses are a process's, so that a place that another process made up
// is refused instead of followed, and a raw pointer is known for one.
//
// Invariants  One thread's. What was found mapped is believed to stay so; what was not is looked up
//             anew in the kernel's table before it is refused.
// Cost        Two compares where the last range asked for serves again.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace terrane {

class mapped_memory {
 public:
  /// of: another process of the same user; 0: this one.
  explicit mapped_memory(pid_t of = 0) : of_(of) {}

  /// True if all of `bytes` from `address` on may be read, and written if `to_write`.
  bool holds(const void* address, std::size_t bytes, bool to_write);
  /// True if that byte is mapped, and no other process shares the mapping.
  bool holds_alone(const void* address);

 private:
  struct range {
    std::uintptr_t start, end;
    bool writable, shared;
  };
  /// The range that covers all of it, in the table as it was last read; null: none.
  const range* known(std::uintptr_t start, std::uintptr_t end);
  void look_up();

  pid_t of_;
  std::vector<range> ranges_;  // by address; neighbours of one kind are one
  std::size_t last_ = 0;
};

}  // namespace terrane
