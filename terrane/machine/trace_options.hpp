// SPDX-License-Identifier: Apache-2.0
// trace_options.hpp: reads the values of the options of traces. An error completes "--name ...".
#pragma once

#include <string_view>

#include "terrane/base/result.hpp"
#include "terrane/machine/options.hpp"

namespace terrane {

/// As event_choice.hpp says.
result<void> read_events(std::string_view text, run_options& into);
result<void> read_measured(std::string_view text, run_options& into);
result<void> read_full_trace(std::string_view text, run_options& into);

}  // namespace terrane
