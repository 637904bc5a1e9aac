// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/event_writer.hpp"

#include "terrane/base/give_way.hpp"

namespace terrane {

/// True if there is room for that many words. An event that is dropped is counted. The next one
/// that is written gets a stamp, because a dropped one may have carried it.
bool event_writer::find_room(event_class of, std::uint64_t words) {
  for (int tries = 0;; ++tries) {
    room_until_ = ring_->read.load(memory_order_acquire) + ring_->size();
    if (at_ + words <= room_until_) return true;
    if (!wait_ || ring_->closed.load(memory_order_relaxed)) break;
    give_way(tries);
  }
  stamped_ = 0;
  auto& count = ring_->dropped[static_cast<std::uint32_t>(of)];
  count.store(count.load(memory_order_relaxed) + 1, memory_order_relaxed);
  return false;
}

}  // namespace terrane
