// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/mapped_memory.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>

namespace terrane {

bool mapped_memory::holds(const void* address, std::size_t bytes, bool to_write) {
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = start + bytes;
  if (end < start) return false;
  const auto serves = [&](const range* found) { return found && (found->writable || !to_write); };
  if (serves(known(start, end))) return true;
  look_up();
  return serves(known(start, end));
}

bool mapped_memory::holds_alone(const void* address) {
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  const range* found = known(start, start + 1);
  if (!found) {
    look_up();
    found = known(start, start + 1);
  }
  return found && !found->shared;
}

const mapped_memory::range* mapped_memory::known(std::uintptr_t start, std::uintptr_t end) {
  const auto covers = [&](const range& it) { return it.start <= start && end <= it.end; };
  if (last_ < ranges_.size() && covers(ranges_[last_])) return &ranges_[last_];
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), start,
                       [](std::uintptr_t at, const range& it) { return at < it.start; });
  if (after == ranges_.begin() || !covers(*(after - 1))) return nullptr;
  last_ = static_cast<std::size_t>(after - ranges_.begin()) - 1;
  return &ranges_[last_];
}

void mapped_memory::look_up() {
  ranges_.clear();
  const std::string name = of_ == 0 ? "/proc/self/maps" : "/proc/" + std::to_string(of_) + "/maps";
  const std::unique_ptr<FILE, int (*)(FILE*)> kernels(std::fopen(name.c_str(), "r"), std::fclose);
  if (!kernels) return;
  char line[512];
  while (std::fgets(line, sizeof line, kernels.get())) {
    std::uintptr_t start, end;
    char read, write, execute, shared;
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %c%c%c%c", &start, &end, &read, &write,
                    &execute, &shared) != 6 ||
        read != 'r')
      continue;
    const range next{start, end, write == 'w', shared == 's'};
    range* const last = ranges_.empty() ? nullptr : &ranges_.back();
    if (last && last->end == start && last->writable == next.writable &&
        last->shared == next.shared)
      last->end = end;
    else
      ranges_.push_back(next);
  }
}

}  // namespace terrane
