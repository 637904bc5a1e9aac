// SPDX-License-Identifier: Apache-2.0
// frame_arena.hpp: where a processor's frames come from when a free list is empty.
//
// Invariants  Frames of one class come in slabs, one after the other from the arena's start; a
//             frame's memory stays a frame of that class for the whole run, so a stale name always
//             reads a head. A frame whose generations have come round rests until resting_max
//             others of its class have joined it, or memory ends: only then can a name be one that
//             another activation had before.
// Cost        One slab (64 KiB, or one frame if that is larger) a call; nothing is ever given back.
//             What rests is at most 4 MiB of each class (or 16 frames), one frame in 4,095
//             activations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "terrane/base/ring_queue.hpp"
#include "terrane/core/place.hpp"

namespace terrane {

/// Bytes of one frame of a class (terrane.h, TERRANE_FRAME_CLASS).
constexpr std::uint64_t frame_class_bytes(std::uint32_t frame_class) {
  return frame_class < 16 ? 64 * (frame_class + 1) : std::uint64_t{1024} << (frame_class - 15);
}

/// Activations that have names of their own in one frame.
inline constexpr std::uint64_t generations = ~std::uint64_t{0} / TERRANE_GENERATION_STEP;

class frame_arena {
 public:
  /// How many frames of a class rest. Times `generations`: after so many activations of that class
  /// a name may come again; 268 million for frames of 64 bytes.
  static constexpr std::size_t resting_max(std::uint32_t frame_class) {
    return std::max<std::size_t>(16, (std::size_t{4} << 20) / frame_class_bytes(frame_class));
  }

  /// first: bytes of the arena that are not frames. bytes_max: how many they may use.
  frame_arena(terrane_processor& owner, std::uint64_t first, std::uint64_t bytes_max)
      : owner_(owner), first_(first), bytes_max_(bytes_max), next_(first) {}

  /// A list of free frames of that class, linked as terrane_frame_new expects; R-240 when out of
  /// memory.
  terrane_frame* refill(std::uint32_t frame_class);
  /// Takes a freed frame whose generations have come round (its own is 0), and frees for use the
  /// one of its class that has rested longest, if enough do.
  void rest(terrane_frame& worn, std::uint32_t frame_class);
  /// Frames that were used again after their rest.
  std::uint64_t names_reused() const { return names_reused_; }

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

  terrane_frame* awake(std::uint32_t frame_class);

  terrane_processor& owner_;
  const std::uint64_t first_, bytes_max_;
  std::uint64_t next_;
  std::vector<slab> slabs_;
  std::array<ring_queue<terrane_frame*>, TERRANE_FRAME_CLASSES> resting_;
  std::uint64_t names_reused_ = 0;
};

}  // namespace terrane
