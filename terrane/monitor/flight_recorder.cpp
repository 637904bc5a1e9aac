// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/flight_recorder.hpp"

#include <algorithm>
#include <cstdio>

namespace terrane {

void flight_recorder::print_last(int how_many) const {
  std::vector<event> all;
  for (const ring& each : rings_) {
    const std::uint64_t written = each.written.load(memory_order_acquire);
    for (std::uint64_t i = written > kept ? written - kept : 0; i < written; ++i)
      all.push_back(each.events[i % kept]);
  }
  std::sort(all.begin(), all.end(),
            [](const event& a, const event& b) { return a.nanoseconds < b.nanoseconds; });
  if (all.empty()) return;
  const auto count = std::min<std::size_t>(all.size(), static_cast<std::size_t>(how_many));
  std::fprintf(stderr, "terrane: the last %zu balancing decisions:\n", count);
  for (auto each = all.end() - static_cast<std::ptrdiff_t>(count); each != all.end(); ++each)
    std::fprintf(stderr, "  %.6f s  node %u  %s (about %lld; %lld, %lld)\n",
                 1e-9 * static_cast<double>(each->nanoseconds), each->node, each->what.what,
                 static_cast<long long>(each->what.about), static_cast<long long>(each->what.first),
                 static_cast<long long>(each->what.second));
}

}  // namespace terrane
