// SPDX-License-Identifier: Apache-2.0
// pinning.hpp: which CPU each processor's thread stays on, and whether it should stay at all.
//
// Purpose     On a machine that no other program uses, a pinned thread keeps its caches. On a
//             shared machine a pinned thread may wait for its CPU while other CPUs are idle, so
//             there the kernel places threads better.
// Option      --pinning=auto|on|off. auto pins unless a sign indicates that the machine is shared.
// Plan        Every core gets one processor before any core gets two. The processors are near each
//             other: all in one package if they fit. The plan never leaves the affinity mask.
// Topology    From hwloc if its library can be opened at run time (a build with TERRANE_HAVE_HWLOC;
//             it is never linked), else from /sys/devices/system/cpu.
// Order       First the budget, then the decision, then the threads, since a pinned thread sees
//             only its own CPU. One decision covers all processors of this host; nodes take
//             disjoint parts of it.
// Cost        sysfs: two small files per CPU. hwloc: once 5 to 35 ms on a machine of two CPUs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/machine/cpu_budget.hpp"

namespace terrane {

/// A CPU as the kernel counts them, with its number, its core and its package.
struct hardware_thread {
  int cpu = 0;
  int core = 0;  // together with the package it names one physical core
  int package = 0;
};

/// The CPUs that we may use, in an order that keeps near CPUs together.
struct topology {
  std::vector<hardware_thread> threads;
  std::string source;  // "hwloc" or "sysfs"
};

/// The topology of `cpus` (the CPUs of the affinity mask), from hwloc or else from sysfs.
topology read_topology(const std::vector<int>& cpus);

/// The topology from hwloc; nothing if hwloc is not built in, is not installed, describes another
/// machine, or does not know all of `cpus`.
std::optional<topology> hwloc_topology(const std::vector<int>& cpus);

/// The topology from the files under `root`/sys. A CPU without files counts as a core of its own.
topology sysfs_topology(const std::string& root, const std::vector<int>& cpus);

/// The CPU of each of `processors` threads. If there are more threads than CPUs, CPUs are reused in
/// the same order. Without any CPU the plan is empty.
std::vector<int> plan_pinning(const topology& where, int processors);

enum class pinning_option { automatic, on, off };

/// Reads "auto", "on" or "off"; any other text is an error.
result<pinning_option> parse_pinning_option(std::string_view text);

/// Signs that other programs use this machine too.
struct sharing_signs {
  int processors = 1;           // threads to place on this host, of all its nodes
  int allowed = 1;              // what the CPU budget allows
  bool quota_in_force = false;  // of a cgroup
  int affinity = 0;             // CPUs in our affinity mask at the start; 0: unknown
  int online = 0;               // CPUs that the kernel runs; 0: unknown
  double load = -1;             // mean of runnable threads over the last minute; below 0: unknown
};

/// The signs of this machine, under `view.root`.
sharing_signs read_sharing_signs(const cpu_view& view, const cpu_budget& budget);

/// True if the machine seems to be shared. Sets `reason` to the sign.
bool machine_is_shared(const sharing_signs& signs, std::string& reason);

struct pinning_decision {
  bool on = false;
  std::string reason;                 // the line for the user, such as `pinning: off (...)`
  std::vector<int> cpu_of_processor;  // empty when off
};

/// Decides by the option or, if that is automatic, by the signs; then plans. Calls `look` only if a
/// plan is needed.
pinning_decision decide_pinning(pinning_option option, const sharing_signs& signs,
                                const std::function<topology()>& look);

/// Binds the calling thread to one CPU, until it ends or is pinned again.
result<void> pin_this_thread(int cpu);

}  // namespace terrane
