// SPDX-License-Identifier: Apache-2.0
// metric.hpp: the words for the four load metrics of the Testbed. A run measures them while it goes
// on (core/load_meter.hpp), and a trace holds them afterwards (dashboard/metrics.hpp).
//
//   n-threads   threads made on or moved to a node, less those that ended or moved away
//   rq-length   ready fibers and threads of a node
//   cpu-time    the share of a period that the processors of a node spent in the program's code
//   rem-comm    messages between two nodes in a period, of both directions together
//
// Values      The first two change with events: a value for each change, or with `sample` the mean
//             of each sample. The last two have a value for each period; cpu-time with `window` is
//             the mean of that many periods, the latest last.
// Source      [TESTBED §4.1.3].
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

enum class metric : std::uint8_t { n_threads, rq_length, cpu_time, rem_comm };
inline constexpr const char* metric_names[] = {"n-threads", "rq-length", "cpu-time", "rem-comm"};
constexpr const char* name_of(metric which) { return metric_names[static_cast<int>(which)]; }

struct metric_choice {
  metric what;
  std::int64_t sample_ns = 0;           // of the first two; 0: each change
  std::int64_t period_ns = 20'000'000;  // of the last two
  std::uint32_t window = 1;             // of cpu-time: periods
};

/// Reads `n-threads,rq-length:sample=1s,cpu-time:window=10:period=20ms,rem-comm`.
result<std::vector<metric_choice>> read_metrics(std::string_view text);

}  // namespace terrane
