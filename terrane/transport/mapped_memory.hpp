// SPDX-License-Identifier: Apache-2.0
// mapped_memory.hpp: which addresses are a process's, so that a place that another process made up
// is refused instead of followed, and a raw pointer is known for one.
//
// Invariants  One thread's. What was found mapped is believed to stay so; what was not is looked up
//             anew in the kernel's table before it is refused.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "terrane/core/memory_range.hpp"

namespace terrane {

class mapped_memory {
 public:
  /// of: another process of the same user; 0: this one.
  explicit mapped_memory(pid_t of = 0) : of_(of) {}

  /// True if all of `bytes` from `address` on may be read, and written if `to_write`.
  bool holds(const void* address, std::size_t bytes, bool to_write) {
    return around(address, bytes, to_write).covers(address, bytes, to_write);
  }
  /// What is mapped around them; nothing, if not all of them may be.
  memory_range around(const void* address, std::size_t bytes, bool to_write);
  /// True if that byte is mapped, and no other process shares the mapping.
  bool holds_alone(const void* address);

 private:
  struct range : memory_range {
    bool shared;
  };
  /// The range that covers all of it, in the table as it was last read; null: none.
  const range* known(const void* address, std::size_t bytes, bool to_write) const;
  void look_up();

  pid_t of_;
  std::vector<range> ranges_;  // by address; neighbours of one kind are one
};

}  // namespace terrane
