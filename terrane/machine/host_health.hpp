// SPDX-License-Identifier: Apache-2.0
// host_health.hpp: whether a run would start on this host, and what would hinder it.
//
// Purpose     `terrane doctor` looks before a run. What it looks at is read first (host_facts) and
//             judged then, so that the judgement can be tested for hosts that nobody has.
// Cost        Some dozen small files, and a reservation of address space that is given back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "terrane/machine/cpu_budget.hpp"

namespace terrane {

/// One line of a report.
struct finding {
  enum class weight { good, note, bad };  // bad: a run would not start, or not as it is meant to
  weight is = weight::good;
  std::string what;
  std::string cure;  // what to do; empty if there is nothing to do
};

/// A bound that the system sets; nothing: it sets none.
using system_bound = std::optional<std::uint64_t>;

struct host_facts {
  cpu_budget cores;
  double load = 0;  // processes that wanted to run, over the last minute
  std::uint64_t memory_bytes = 0, memory_free_bytes = 0;  // free: also what caches would give back
  system_bound cgroup_memory_bytes, cgroup_used_bytes;
  system_bound open_files, locked_bytes, address_bytes, processes;
  std::uint64_t mappings = 0;          // vm.max_map_count
  int overcommit = 0;                  // vm.overcommit_memory
  std::uint64_t reserved_bytes = 0;    // the address space that could be reserved at once
  std::uint64_t asked_bytes = 0;       // and how much was tried
  bool reads_other_processes = false;  // process_vm_readv between related processes
  std::string openssl;                 // openssl_problem
};

/// Reads the facts of this host. processors: that a run would have here.
host_facts read_host_facts(int processors);

/// What they mean for a run with that many processors in that many nodes of this host. network: it
/// is to reach other hosts.
std::vector<finding> judge_host(const host_facts& facts, int nodes, int processors, bool network);

/// 1.5 GiB, 640 KiB.
std::string bytes_in_words(std::uint64_t bytes);

}  // namespace terrane
