// SPDX-License-Identifier: Apache-2.0
// clock_text.hpp: what is known of the clocks of a run's hosts, in sentences.
#pragma once

#include <string>
#include <vector>

#include "terrane/trace/reader.hpp"

namespace terrane {

/// Empty: all processes have one clock.
std::vector<std::string> describe_clocks(const trace_file& file);

}  // namespace terrane
