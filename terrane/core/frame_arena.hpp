// SPDX-License-Identifier: Apache-2.0
// frame_arena.hpp: supplies a processor with frames when one of its free lists is empty.
//
// Invariants  Frames of one class are allocated in slabs, one after the other from the arena's
//             start. The memory of a frame stays a frame of that class for the whole run, so that
//             a stale name always leads to a frame's head. A frame whose generations are used up
//             rests until resting_max other frames of its class rest too, or memory is exhausted.
//             Only after that can a name be one that another activation had before.
// Cost        Each call takes one slab. The first of a class has 4 KiB, each further one twice as
//             much up to 64 KiB (or one frame if that is larger); memory is never given back. At
//             most 4 MiB of each class (or 16 frames) rest; a frame goes to rest once in 4,095
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

/// The size in bytes of a frame of that class (terrane.h, TERRANE_FRAME_CLASS).
constexpr std::uint64_t frame_class_bytes(std::uint32_t frame_class) {
  return frame_class < 16 ? 64 * (frame_class + 1) : std::uint64_t{1024} << (frame_class - 15);
}

/// How many activations in one frame have different names.
inline constexpr std::uint64_t generations = ~std::uint64_t{0} / TERRANE_GENERATION_STEP;

class frame_arena {
 public:
  /// How many frames of a class rest. This number times `generations` is how many activations of
  /// the class begin before a name may return: 268 million for frames of 64 bytes.
  static constexpr std::size_t resting_max(std::uint32_t frame_class) {
    return std::max<std::size_t>(16, (std::size_t{4} << 20) / frame_class_bytes(frame_class));
  }

  /// first: the offset of the first frame in the arena. bytes_max: how many bytes frames may use.
  frame_arena(terrane_processor& owner, std::uint64_t first, std::uint64_t bytes_max)
      : owner_(owner), first_(first), bytes_max_(bytes_max), next_(first) {}

  /// Returns a list of free frames of that class, linked as terrane_frame_new expects. R-240 if
  /// memory is exhausted.
  terrane_frame* refill(std::uint32_t frame_class);
  /// Puts a freed frame to rest whose generations are used up (its generation is 0). If enough
  /// frames of its class rest, the one that has rested longest is freed for use.
  void rest(terrane_frame& worn, std::uint32_t frame_class);
  /// How many frames were used again after their rest.
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
  std::array<std::uint8_t, TERRANE_FRAME_CLASSES> doubled_{};  // how often, by class
  std::array<ring_queue<terrane_frame*>, TERRANE_FRAME_CLASSES> resting_;
  std::uint64_t names_reused_ = 0;
};

}  // namespace terrane
