// SPDX-License-Identifier: Apache-2.0
// decision_maker.hpp: finds one overloaded link or processor in a summary of the load.
//
// Rule        A link before a processor; of equal links and processors the first. From a link a
//             thread moves to the end with more traffic in all, from the lower number if both have
//             the same; from a processor it moves to the one with the shortest queue. A link is
//             left alone if that end is overloaded itself: the paper takes it for underloaded.
// Source      [TESTBED §4.2.2]. What a link's threads do is inferred from the two moves that
//             [TESTBED Fig. 41] prints; the thresholds there were found by experiment, and are not
//             printed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "terrane/balance/load_summary.hpp"

namespace terrane::balance {

struct overload_thresholds {
  int rq = 60;                        // hundredths of a thread over the mean of the queues
  int link = 100;                     // percent over the mean of the links
  std::uint64_t least_messages = 16;  // on a link, in a sample
};

struct reconfiguration {
  node_id from = 0, to = 0;
  std::optional<std::size_t> link;  // the overloaded one; nothing: the processor `from` is
};

/// has_threads(n): that processor has threads to move.
template <class HasThreads>
std::optional<reconfiguration> find_overload(const load_summary& seen,
                                             const overload_thresholds& over,
                                             HasThreads&& has_threads) {
  if (seen.size() < 2) return {};
  const auto count = static_cast<std::int64_t>(seen.size());
  const auto is_long = [&](std::int64_t queue) {
    return (queue - 10 * over.rq) * count >= seen.all_queues();
  };
  const auto busiest = std::max_element(seen.links.begin(), seen.links.end());
  const auto percent = static_cast<std::uint64_t>(100 + over.link);
  if (*busiest >= over.least_messages &&
      *busiest * seen.links.size() * 100 > seen.all_messages() * percent) {
    const auto link = static_cast<std::size_t>(busiest - seen.links.begin());
    const auto [low, high] = seen.ends_of(link);
    const bool down = seen.traffic_of(low) > seen.traffic_of(high);
    const reconfiguration found{down ? high : low, down ? low : high, link};
    if (has_threads(found.from) && !is_long(seen.queues[found.to - seen.first])) return found;
  }
  const auto most = std::max_element(seen.queues.begin(), seen.queues.end());
  const auto least = std::min_element(seen.queues.begin(), seen.queues.end());
  if (!is_long(*most) || most == least) return {};
  return reconfiguration{static_cast<node_id>(seen.first + (most - seen.queues.begin())),
                         static_cast<node_id>(seen.first + (least - seen.queues.begin())),
                         {}};
}

}  // namespace terrane::balance
