// SPDX-License-Identifier: Apache-2.0
#include "dashboard/clock_text.hpp"

#include <fmt/format.h>

namespace terrane {

std::vector<std::string> describe_clocks(const trace_file& file) {
  std::vector<std::string> all;
  for (const trace_file::host_clock& each : file.host_clocks()) {
    std::string text = fmt::format(
        "the process of node {} had a clock that differed by {:.6f} s and {:+.1f} ppm: its times "
        "are shown by the launcher's clock, and are right to {:.1f} us",
        each.process, -1e-9 * static_cast<double>(each.offset_ns), -1e6 * each.drift,
        1e-3 * static_cast<double>(each.error_ns));
    if (each.moved_ns != 0)
      text += fmt::format(" (moved by {:+.1f} us, so that no message arrives before it left)",
                          1e-3 * static_cast<double>(each.moved_ns));
    all.push_back(std::move(text));
  }
  for (const std::string& each : file.clock_doubts()) all.push_back(each);
  return all;
}

}  // namespace terrane
