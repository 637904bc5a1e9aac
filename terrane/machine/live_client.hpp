// SPDX-License-Identifier: Apache-2.0
// live_client.hpp: asks the processes of runs on this host (live_socket.hpp has the other side).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace terrane {

struct live_process {
  int launcher = 0, pid = 0;
  std::string path;  // of its socket
};

/// All processes of runs of this user, on this host, by launcher.
std::vector<live_process> live_processes();
/// Those of one run.
std::vector<live_process> live_processes_of(int launcher);

/// The answer, without its line end; nothing if the process does not answer.
std::optional<std::string> ask(const live_process& whom, std::string_view question);

}  // namespace terrane
