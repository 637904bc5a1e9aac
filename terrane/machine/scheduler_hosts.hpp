// SPDX-License-Identifier: Apache-2.0
// scheduler_hosts.hpp: the hosts that a batch system has given to this job: Slurm or PBS.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/machine/hosts.hpp"

namespace terrane {

/// `node[01-03,7],gpu[0-1]-ib,login`: numbers in brackets keep their leading zeros, and there may
/// be several pairs of brackets in one name.
result<std::vector<std::string>> parse_slurm_hosts(std::string_view text);

/// `2(x3),1`: 2, 2, 2, 1.
result<std::vector<int>> parse_slurm_counts(std::string_view text);

/// The value of an environment variable, or null.
using environment_reader = std::function<const char*(const char* name)>;

struct scheduler_hosts {
  std::string scheduler;  // Slurm, PBS
  std::vector<host> hosts;
};

/// Reads SLURM_JOB_NODELIST and SLURM_TASKS_PER_NODE, or the file PBS_NODEFILE. Nothing if this
/// process is in no job of theirs. An error names the variable.
result<std::optional<scheduler_hosts>> find_scheduler_hosts(const environment_reader& variable);

}  // namespace terrane
