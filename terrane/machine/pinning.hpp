// SPDX-License-Identifier: Apache-2.0
// pinning.hpp: which CPU each processor's thread stays on, and whether it should stay at all.
//
// Purpose     On a machine that we have to ourselves a pinned thread keeps its caches. On a shared
//             one it waits for its CPU while others are idle: there the kernel places threads
//             better.
// Option      --pinning=auto|on|off. auto pins unless a sign says that the machine is shared.
// Plan        Every core gets one processor before any core gets two, the processors near each
//             other: all in one package where they fit. Never outside the affinity mask.
// Topology    By hwloc where its library can be opened at run time (built with TERRANE_HAVE_HWLOC,
//             never linked), else from /sys/devices/system/cpu.
// Order       Budget, decision, then threads: a pinned thread sees only its own CPU.
//             One decision covers all processors of this host; nodes take disjoint parts of it.
// Cost        sysfs: two small files a CPU. hwloc: 5 to 35 ms on a machine of two CPUs, once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"
#include "terrane/machine/cpu_budget.hpp"

namespace terrane {

/// One place where a thread can run: the kernel's number, and the core and package that it is in.
struct hardware_thread {
  int cpu = 0;
  int core = 0;  // together with the package it names one physical core
  int package = 0;
};

/// The CPUs we may use, neighbours next to each other.
struct topology {
  std::vector<hardware_thread> threads;
  std::string source;  // "hwloc" or "sysfs"
};

/// The topology of `cpus` (those of the affinity mask), by hwloc, else from sysfs.
topology read_topology(const std::vector<int>& cpus);

/// As hwloc sees it; nothing where it is not built in, not installed or not of this machine.
std::optional<topology> hwloc_topology(const std::vector<int>& cpus);

/// From the files under `root`/sys. A CPU without files there counts as a core of its own.
topology sysfs_topology(const std::string& root, const std::vector<int>& cpus);

/// The CPU of each of `processors` threads. More threads than CPUs go round again; without any
/// CPU the plan is empty.
std::vector<int> plan_pinning(const topology& where, int processors);

enum class pinning_option { automatic, on, off };

/// "auto", "on" or "off".
result<pinning_option> parse_pinning_option(std::string_view text);

/// Signs that others use this machine too.
struct sharing_signs {
  int processors = 1;           // threads to place on this host, of all its nodes
  int allowed = 1;              // what the CPU budget allows
  bool quota_in_force = false;  // of a cgroup
  int affinity = 0;             // CPUs in the mask we were started with; 0: unknown
  int online = 0;               // CPUs the kernel runs; 0: unknown
  double load = -1;             // mean of runnable threads over the last minute; below 0: unknown
};

/// The signs of this machine, under `view.root`.
sharing_signs read_sharing_signs(const cpu_view& view, const cpu_budget& budget);

/// True if the machine seems to be shared. reason: set to the sign.
bool machine_is_shared(const sharing_signs& signs, std::string& reason);

struct pinning_decision {
  bool on = false;
  std::string reason;                 // the line for the user, such as `pinning: off (...)`
  std::vector<int> cpu_of_processor;  // empty when off
};

/// Decides by the option or, if automatic, by the signs; then plans. `look` is called for the plan
/// only.
pinning_decision decide_pinning(pinning_option option, const sharing_signs& signs,
                                const std::function<topology()>& look);

/// Binds the calling thread to one CPU, until it ends or is pinned again.
result<void> pin_this_thread(int cpu);

}  // namespace terrane
