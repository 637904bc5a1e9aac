// SPDX-License-Identifier: Apache-2.0
// moving_stacks.hpp: the addresses of stacks of threads that may move between processes: the same
// in all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "terrane/core/place.hpp"

namespace terrane {

/// Of one processor.
inline constexpr std::size_t moving_stacks_bytes = std::size_t{2} << 30;
/// High enough to avoid the program and the memory that sanitizers reserve, and low enough to leave
/// room for stacks and libraries above.
inline constexpr std::uintptr_t moving_stacks_base = 0x7d20'0000'0000u;
inline constexpr std::uint32_t moving_stacks_processors_max = 256;
static_assert(moving_stacks_base + moving_stacks_processors_max * moving_stacks_bytes <
              0x7e00'0000'0000u);

inline char* moving_stacks_of(processor_id p) {
  return reinterpret_cast<char*>(moving_stacks_base + p * moving_stacks_bytes);
}

/// A reason why threads cannot leave a process of this build; null: there is none.
const char* why_builds_keep_threads();

/// All these addresses, reserved in a process that shares them with no other. They use memory once
/// touched.
class moving_stacks {
 public:
  /// Reserves nothing if there are too many processors, or the addresses are taken.
  explicit moving_stacks(std::uint32_t processors);
  moving_stacks(const moving_stacks&) = delete;
  moving_stacks& operator=(const moving_stacks&) = delete;
  ~moving_stacks();

  /// Where they begin; 0: nothing is reserved.
  std::uint64_t base() const { return bytes_ == 0 ? 0 : moving_stacks_base; }
  std::span<char> of(processor_id p) const {
    if (bytes_ == 0) return {};
    return {moving_stacks_of(p), moving_stacks_bytes};
  }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace terrane
