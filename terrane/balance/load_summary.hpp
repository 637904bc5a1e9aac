// SPDX-License-Identifier: Apache-2.0
// load_summary.hpp: what the assessor of the balancer central makes of a sample: the ready queue of
// each processor, and the messages on each link between two of them.
//
// Order       Links are 1-2, 1-3, ..., 4-5, and have numbers from 1 [TESTBED Fig. 41].
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "terrane/core/balancer.hpp"

namespace terrane::balance {

struct load_summary {
  struct link_ends {
    node_id low, high;
  };

  node_id first = 0;                 // the processors are this one and those after it
  std::vector<std::int64_t> queues;  // mean lengths, in thousandths
  std::vector<std::uint64_t> links;

  load_summary() = default;
  load_summary(node_id from, std::size_t processors)
      : first(from), queues(processors), links(processors * (processors - 1) / 2) {}

  std::size_t size() const { return queues.size(); }
  /// The place of that link, from 0.
  std::size_t link_between(node_id one, node_id other) const {
    const std::size_t low = std::min(one, other) - first, high = std::max(one, other) - first;
    return low * (2 * size() - low - 1) / 2 + (high - low - 1);
  }
  link_ends ends_of(std::size_t link) const {
    std::size_t low = 0, before = 0;
    while (link >= before + size() - low - 1) before += size() - ++low;
    return {static_cast<node_id>(first + low),
            static_cast<node_id>(first + low + 1 + link - before)};
  }
  /// Messages on all links of that processor.
  std::uint64_t traffic_of(node_id one) const {
    std::uint64_t sum = 0;
    for (node_id other = first; other < first + size(); ++other)
      if (other != one) sum += links[link_between(one, other)];
    return sum;
  }
  std::uint64_t all_messages() const {
    return std::accumulate(links.begin(), links.end(), std::uint64_t{0});
  }
  std::int64_t all_queues() const {
    return std::accumulate(queues.begin(), queues.end(), std::int64_t{0});
  }
};

}  // namespace terrane::balance
