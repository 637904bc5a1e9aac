// SPDX-License-Identifier: Apache-2.0
// level_bins.hpp: how a number of each node went over time, as the mean in each of many bins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dashboard/activity.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

struct level_bins {
  std::string title;
  std::vector<std::vector<double>> nodes;  // of each node: a mean for each bin
};

/// Ready fibers and threads; tokens that were made or came, and have not begun or left; memory in
/// MiB. What the trace has no events of is left out.
std::vector<level_bins> find_level_bins(const trace_file& file, const known_events& known,
                                        std::int64_t begin, std::int64_t bin_ns, std::size_t bins);

}  // namespace terrane
