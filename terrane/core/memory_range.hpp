// SPDX-License-Identifier: Apache-2.0
// memory_range.hpp: a contiguous range of addresses that a process has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace terrane {

struct memory_range {
  std::uintptr_t start = 0, end = 0;
  bool writable = false;

  bool covers(const void* address, std::size_t bytes, bool to_write) const {
    const auto at = reinterpret_cast<std::uintptr_t>(address);
    return at >= start && at <= end && bytes <= end - at && (writable || !to_write);
  }
};

inline constexpr memory_range all_memory{0, ~std::uintptr_t{0}, true};

}  // namespace terrane
