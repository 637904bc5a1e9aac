// SPDX-License-Identifier: Apache-2.0
// frame_arena.hpp: where a processor's frames come from when a free list is empty.
//
// Invariants  Frames of one class come in slabs, one after the other from the arena's start; a
//             frame's memory stays a frame of that class for the whole run, so a stale name always
//             reads a head.
// Cost        One slab (64 KiB, or one frame if that is larger) a call; nothing is ever given back.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "terrane/core/place.hpp"

namespace terrane {

/// Bytes of one frame of a class (terrane.h, TERRANE_FRAME_CLASS).
constexpr std::uint64_t frame_class_bytes(std::uint32_t frame_class) {
  return frame_class < 16 ? 64 * (frame_class + 1) : std::uint64_t{1024} << (frame_class - 15);
}

class frame_arena {
 public:
  /// first: bytes of the arena that are not frames. bytes_max: how many they may use.
  frame_arena(terrane_processor& owner, std::uint64_t first, std::uint64_t bytes_max)
      : owner_(owner), first_(first), bytes_max_(bytes_max), next_(first) {}

  /// A list of free frames of that class, linked as terrane_frame_new expects; R-240 when out of
  /// memory.
  terrane_frame* refill(std::uint32_t frame_class);

  void for_each_live(const std::function<void(terrane_frame&)>& visit) const;
  std::uint64_t bytes() const { return next_ - first_; }

 private:
  friend struct debug_layout;
  struct slab {
    std::uint64_t offset;
    std::uint32_t frame_class, frames;
  };

  terrane_frame& frame_at(std::uint64_t offset) const {
    return *reinterpret_cast<terrane_frame*>(reinterpret_cast<char*>(&owner_) + offset);
  }

  terrane_processor& owner_;
  const std::uint64_t first_, bytes_max_;
  std::uint64_t next_;
  std::vector<slab> slabs_;
};

}  // namespace terrane
