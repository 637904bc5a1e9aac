// SPDX-License-Identifier: Apache-2.0
// run_view.hpp: a whole run as it stands, put together from what its processes say (run_state.hpp)
// or from its statistics; as text in the format of OpenMetrics.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "terrane/monitor/statistics.hpp"

namespace terrane {

struct node_view_row {
  std::uint32_t processors = 0, busy = 0;
  std::uint64_t tokens = 0, queued = 0;
  double ran = 0, balanced = 0, polled = 0, rested = 0;  // nanoseconds
  std::map<std::string, double> loads;                   // by metric
};

struct run_view {
  std::string words, world;
  double seconds = 0;
  std::map<std::uint32_t, node_view_row> nodes;
  std::map<std::string, std::vector<std::uint64_t>> lengths;  // as summed_counts, by what
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> messages;  // from, to

  /// Adds what one process says; a text that is no state is left out.
  void add(const std::string& state);
  /// The end of a run.
  static run_view of(const std::string& words, const run_statistics& statistics);

 private:
  void add_state(const std::string& text);
};

std::string to_openmetrics(const run_view&);
/// The same as JSON, for the page of a run that goes on.
std::string to_json(const run_view&);

}  // namespace terrane
