// SPDX-License-Identifier: Apache-2.0
// run_ends.hpp: what a trace says of how its run ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "terrane/trace/reader.hpp"

namespace terrane {

struct run_end {
  std::optional<std::string> sentence;  // of an error or a lost node
  bool has_statistics = false;          // the run came to its end
  double elapsed_seconds = 0;           // from the statistics; 0: they do not say
};

/// In the order of the file; none if it was cut off.
std::vector<run_end> ends_of(const trace_file& file);

}  // namespace terrane
