// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/own_memory.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>

namespace terrane {

bool own_memory::holds(const void* address, std::size_t bytes, bool to_write) {
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = start + bytes;
  if (end < start) return false;
  if (found(start, end, to_write)) return true;
  look_up();
  return found(start, end, to_write);
}

bool own_memory::found(std::uintptr_t start, std::uintptr_t end, bool to_write) {
  const auto covers = [&](const range& it) {
    return it.start <= start && end <= it.end && (it.writable || !to_write);
  };
  if (last_ < ranges_.size() && covers(ranges_[last_])) return true;
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), start,
                       [](std::uintptr_t at, const range& it) { return at < it.start; });
  if (after == ranges_.begin() || !covers(*(after - 1))) return false;
  last_ = static_cast<std::size_t>(after - ranges_.begin()) - 1;
  return true;
}

void own_memory::look_up() {
  ranges_.clear();
  const std::unique_ptr<FILE, int (*)(FILE*)> table(std::fopen("/proc/self/maps", "r"),
                                                    std::fclose);
  if (!table) return;
  char line[512];
  while (std::fgets(line, sizeof line, table.get())) {
    std::uintptr_t start, end;
    char read, write;
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c%c", &start, &end, &read, &write) != 4 ||
        read != 'r')
      continue;
    const bool writable = write == 'w';
    if (!ranges_.empty() && ranges_.back().end == start && ranges_.back().writable == writable)
      ranges_.back().end = end;
    else
      ranges_.push_back({start, end, writable});
  }
}

}  // namespace terrane
