// SPDX-License-Identifier: Apache-2.0
// metrics.hpp: the load metrics (base/metric.hpp) of a run, from its trace.
#pragma once

#include <cstdint>
#include <vector>

#include "dashboard/text_sink.hpp"
#include "terrane/base/metric.hpp"
#include "terrane/base/result.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

struct metric_row {
  metric what;
  std::int64_t ns;            // the end of the sample or period, or the time of the change
  std::uint32_t node, other;  // other: of rem-comm, the larger one; else the same
  double value;
};
/// In order of time for each metric, node and pair.
std::vector<metric_row> find_metrics(const trace_file& file,
                                     const std::vector<metric_choice>& choices);

/// The rows as CSV.
result<void> write_metrics(const trace_file& file, const std::vector<metric_choice>& choices,
                           const text_sink& to);

}  // namespace terrane
