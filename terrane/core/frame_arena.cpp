// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/frame_arena.hpp"

#include <algorithm>

#include "terrane/base/rare.hpp"
#include "terrane/core/failure.hpp"

namespace terrane {

namespace {
constexpr std::uint64_t slab_least = 4096;
constexpr std::uint8_t doubled_most = 4;  // to 64 KiB
constexpr std::uintptr_t free_mark = 1;   // in `function` of a free frame (terrane.h)

void link(terrane_frame& free, terrane_frame* next) {
  free.function =
      reinterpret_cast<const terrane_function*>(reinterpret_cast<std::uintptr_t>(next) + free_mark);
}
}  // namespace

terrane_frame* frame_arena::refill(std::uint32_t frame_class) {
  const std::uint64_t each = frame_class_bytes(frame_class);
  const std::uint64_t slab_bytes = slab_least << doubled_[frame_class];
  if (doubled_[frame_class] < doubled_most) ++doubled_[frame_class];
  const bool alone = TERRANE_RARE("core.frame_comes_alone", 2 * each > slab_bytes);
  const auto frames = alone ? 1 : static_cast<std::uint32_t>(slab_bytes / each);
  if (bytes() + each * frames > bytes_max_) {
    if (!resting_[frame_class].empty()) return awake(frame_class);
    fail(run_time_error::out_of_memory,
         "the frames of processor %u need more than %llu MiB: raise --frame-memory, or create less "
         "at "
         "once",
         owner_.number, static_cast<unsigned long long>(bytes_max_ >> 20));
  }
  slabs_.push_back({next_, frame_class, frames});
  terrane_frame* list = nullptr;
  for (std::uint32_t i = frames; i-- > 0;) {
    const std::uint64_t offset = next_ + i * each;
    terrane_frame& frame = frame_at(offset);
    frame.name = first_frame_name(owner_.number, offset);
    link(frame, list);
    list = &frame;
  }
  next_ += each * frames;
  return list;
}

void frame_arena::rest(terrane_frame& worn, std::uint32_t frame_class) {
  link(worn, nullptr);
  resting_[frame_class].push_back(&worn);
  if (resting_[frame_class].size() <= resting_max(frame_class)) return;
  terrane_frame& first = *awake(frame_class);
  link(first, owner_.free_frames[frame_class]);
  owner_.free_frames[frame_class] = &first;
}

/// The frame that has rested longest, as a free list of one frame. Its names may now return.
terrane_frame* frame_arena::awake(std::uint32_t frame_class) {
  terrane_frame* const first = resting_[frame_class].pop_front();
  first->name += TERRANE_GENERATION_STEP;
  ++names_reused_;
  return first;
}

void frame_arena::for_each_live(const std::function<void(terrane_frame&)>& visit) const {
  for (const slab& part : slabs_)
    for (std::uint32_t i = 0; i < part.frames; ++i) {
      terrane_frame& frame = frame_at(part.offset + i * frame_class_bytes(part.frame_class));
      if ((reinterpret_cast<std::uintptr_t>(frame.function) & free_mark) == 0) visit(frame);
    }
}

}  // namespace terrane
