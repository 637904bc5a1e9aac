// SPDX-License-Identifier: Apache-2.0
// cpu_budget.hpp: how many processors a run may use on this machine, and which rule decides it.
//
// Purpose     More threads than the kernel runs at once are expensive: they are throttled, or take
//             turns on the same CPU. So one function computes the number, and one line tells the
//             user.
// Rules       1 --processors: taken as given; the line says if it is above the limit.
//             2 affinity:     CPUs in this process's mask (taskset, Slurm, a cpuset).
//             3 cgroup v2:    cpu.max (quota / period) and cpuset.cpus.effective, at every level
//                             from our own cgroup up to the root.
//             4 cgroup v1:    cpu.cfs_quota_us / cpu.cfs_period_us, likewise.
//             5 online:       CPUs that the kernel runs.
//             Of rules 2 to 5 the smallest number wins. Numbers are compared as fractions and then
//             rounded up: with a quota of 1.5 CPUs on two CPUs the quota wins, and gives 2. If
//             several are equal, "online" is named (nothing limits us), or else the first in the
//             list.
// Invariants  Never fewer than one processor. "max" and -1 mean no limit. Burst allowances do not
//             raise the limit, since they do not last. What cannot be read or parsed is ignored.
// Cost        Reads some dozen small files once. Call it again to learn of a changed budget.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace terrane {

/// The inputs of the resolver. A test gives a directory with fake proc/ and sys/, and two counts.
struct cpu_view {
  std::string root;  // prefix of /proc and /sys; empty: this machine
  int affinity = 0;  // CPUs in the affinity mask; 0: unknown
  int online = 0;    // CPUs that the kernel runs; 0: unknown
};

/// The view of this machine. Call it before the first thread is pinned.
cpu_view this_machine();

/// The number of processors, and the reason for it.
struct cpu_budget {
  int processors = 1;           // to use: the number asked for, else the number allowed
  std::string rule;             // "--processors", "affinity", "cgroup v2", "cgroup v1" or "online"
  std::string sentence;         // the line for the user
  int allowed = 1;              // by rules 2 to 5, independent of what was asked for
  bool quota_in_force = false;  // the kernel throttles us before all our CPUs are busy
};

/// Applies the rules above. asked: the value of --processors; below 1: not given.
/// Never fails. The sentence reads like
/// `processors: 2 (cgroup v2 quota 150000/100000 in /user.slice)`.
cpu_budget resolve_cpu_budget(const cpu_view& view, int asked = 0);

/// The CPUs that this thread may run on, ascending; empty if the kernel does not report them.
std::vector<int> affinity_cpus();

/// The CPUs of a kernel list such as "0,2-3", ascending, each once; nothing if the text is no such
/// list.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

/// The contents of a file of /proc or /sys, at most 64 KiB; nothing if it cannot be read.
std::optional<std::string> read_system_file(const std::string& path);

}  // namespace terrane
