// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/mapped_memory.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <string>

namespace terrane {

memory_range mapped_memory::around(const void* address, std::size_t bytes, bool to_write) {
  const range* found = known(address, bytes, to_write);
  if (!found) {
    look_up();
    found = known(address, bytes, to_write);
  }
  return found ? memory_range(*found) : memory_range();
}

bool mapped_memory::holds_alone(const void* address) {
  return holds(address, 1, false) && !known(address, 1, false)->shared;
}

const mapped_memory::range* mapped_memory::known(const void* address, std::size_t bytes,
                                                 bool to_write) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), reinterpret_cast<std::uintptr_t>(address),
                       [](std::uintptr_t at, const range& it) { return at < it.start; });
  if (after == ranges_.begin() || !(after - 1)->covers(address, bytes, to_write)) return nullptr;
  return &*(after - 1);
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
    const range next{{start, end, write == 'w'}, shared == 's'};
    range* const last = ranges_.empty() ? nullptr : &ranges_.back();
    if (last && last->end == start && last->writable == next.writable &&
        last->shared == next.shared)
      last->end = end;
    else
      ranges_.push_back(next);
  }
}

}  // namespace terrane
