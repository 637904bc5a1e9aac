// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/thread_heap.hpp"

#include <algorithm>
#include <cstdint>

#include "terrane/core/failure.hpp"

namespace terrane {

thread_heap::~thread_heap() {
  for (auto last = objects_.rbegin(); last != objects_.rend(); ++last) last->destroy(last->object);
  for (const stack& each : areas_) pool_.give_back(each);
}

void* thread_heap::find(const void* key) const {
  for (const kept& each : objects_)
    if (each.key == key) return each.object;
  return nullptr;
}

void* thread_heap::do_allocate(std::size_t bytes, std::size_t alignment) {
  const auto place = [&] {
    const auto start = reinterpret_cast<std::uintptr_t>(areas_.back().span.low);
    return ((start + used_ + alignment - 1) & ~(alignment - 1)) - start;
  };
  if (areas_.empty() || place() + bytes > areas_.back().span.bytes) {
    // Twice what is wanted, since a guard is part of an area.
    const stack area = pool_.take(std::max(stack_pool::bytes_min, 2 * (bytes + alignment)));
    if (!area.span.low)
      fail(run_time_error::out_of_memory, "no memory for %zu bytes of a thread's heap", bytes);
    areas_.push_back(area);
    used_ = 0;
  }
  const std::size_t at = place();
  used_ = at + bytes;
  return areas_.back().span.low + at;
}

}  // namespace terrane
