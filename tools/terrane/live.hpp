// SPDX-License-Identifier: Apache-2.0
// live.hpp: what asks runs that go on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/machine/live_client.hpp"
#include "terrane/monitor/run_view.hpp"
#include "tools/terrane/command.hpp"

namespace terrane {

/// The number of a process. An error says what the word is not.
result<int> read_pid(const std::string& word);
/// The processes of the run that this process belongs to; of the only run if it is 0.
result<std::vector<live_process>> processes_of(int pid);
/// What all processes of a run say now; nothing if none answers.
std::optional<run_view> look_at(const std::vector<live_process>& processes);

/// terrane trace on|off CLASSES [PID]: arguments begin with the word on or off.
int trace_switch(const words& arguments);

}  // namespace terrane
