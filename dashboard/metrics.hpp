// SPDX-License-Identifier: Apache-2.0
// metrics.hpp: the four load metrics of the Testbed, from a trace.
//
//   n-threads   threads made on or moved to a node, less those that ended or moved away
//   rq-length   ready fibers and threads of a node
//   cpu-time    the share of a period that the processors of a node spent in the program's code
//   rem-comm    messages between two nodes in a period, of both directions together
//
// Values      The first two change with events: a row for each change, or with `sample` the mean of
//             each sample. The last two have a row for each period; cpu-time with `window` is the
//             mean of that many periods, the latest last.
// Source      [TESTBED §4.1.3].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dashboard/text_sink.hpp"
#include "terrane/base/result.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {

enum class metric : std::uint8_t { n_threads, rq_length, cpu_time, rem_comm };
inline constexpr const char* metric_names[] = {"n-threads", "rq-length", "cpu-time", "rem-comm"};

struct metric_choice {
  metric what;
  std::int64_t sample_ns = 0;           // 0: each change
  std::int64_t period_ns = 20'000'000;  // of cpu-time and rem-comm
  std::uint32_t window = 1;             // periods
};

/// Reads `n-threads,rq-length:sample=1s,cpu-time:window=10:period=20ms,rem-comm`.
result<std::vector<metric_choice>> read_metrics(std::string_view text);

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
