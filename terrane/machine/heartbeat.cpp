// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/heartbeat.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "terrane/core/failure.hpp"
#include "terrane/machine/cpu_budget.hpp"

namespace terrane {

namespace {

std::uint64_t resident_bytes() {
  unsigned long long pages = 0;
  const auto text = read_system_file("/proc/self/statm");
  if (!text || std::sscanf(text->c_str(), "%*u %llu", &pages) != 1) return 0;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

heartbeat::heartbeat(roster_line& mine, node_id number, const run_options& options,
                     std::function<void()> after_each)
    : mine_(mine),
      number_(number),
      bytes_max_(options.memory_mib_max << 20),
      after_each_(std::move(after_each)),
      beats_(std::chrono::milliseconds(interval_of(options)), [this] { beat(); }) {}

void heartbeat::beat() {
  mine_.beat();
  after_each_();
  const std::uint64_t used = bytes_max_ == 0 ? 0 : resident_bytes();
  if (used <= bytes_max_) return;
  std::fprintf(stderr,
               "terrane: node %u (process %d) uses %llu MiB, more than --max-memory allows "
               "(%llu MiB)\n",
               number_, static_cast<int>(getpid()), static_cast<unsigned long long>(used >> 20),
               static_cast<unsigned long long>(bytes_max_ >> 20));
  std::_Exit(exit_node_lost);
}

}  // namespace terrane
