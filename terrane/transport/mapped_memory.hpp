// SPDX-License-Identifier: Apache-2.0
// mapped_memory.hpp: which addresses are mapped in a process. So an invalid place from another
// process is refused instead of followed, and a word can be recognized as a raw pointer.
//
// Invariants  One thread uses an object. A range once found mapped is assumed to stay mapped. An
//             address that is not in a known range is looked up again in the kernel's table before
//             it is refused.
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

  /// True if all `bytes` from `address` on may be read, and also written if `to_write`.
  bool holds(const void* address, std::size_t bytes, bool to_write) {
    return around(address, bytes, to_write).covers(address, bytes, to_write);
  }
  /// The mapped range that contains them; an empty range if holds() would be false.
  memory_range around(const void* address, std::size_t bytes, bool to_write);
  /// True if the byte at `address` is mapped, and no other process shares the mapping.
  bool holds_alone(const void* address);

 private:
  struct range : memory_range {
    bool shared;
  };
  /// The range that covers all these bytes, in the table as it was last read; null: none.
  const range* known(const void* address, std::size_t bytes, bool to_write) const;
  void look_up();

  pid_t of_;
  std::vector<range> ranges_;  // by address; adjacent ranges with equal rights are merged
};

}  // namespace terrane
