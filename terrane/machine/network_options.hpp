// SPDX-License-Identifier: Apache-2.0
// network_options.hpp: reads the values of the options of runs whose nodes are processes. An error
// completes "--name ...".
#pragma once

#include <string_view>

#include "terrane/base/result.hpp"
#include "terrane/machine/options.hpp"

namespace terrane {

result<void> read_layout(std::string_view text, run_options& into);
result<void> read_progress(std::string_view text, run_options& into);
result<void> read_connect(std::string_view text, run_options& into);
result<void> read_wire(std::string_view text, run_options& into);
result<void> read_heartbeat(std::string_view text, run_options& into);
result<void> read_hosts(std::string_view text, run_options& into);
result<void> read_hosts_file(std::string_view text, run_options& into);
result<void> read_launcher(std::string_view text, run_options& into);
result<void> read_variables(std::string_view text, run_options& into);

}  // namespace terrane
