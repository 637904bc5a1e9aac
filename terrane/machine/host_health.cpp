// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/host_health.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>

#include "terrane/base/openssl.hpp"
#include "terrane/base/plural.hpp"
#include "terrane/base/reservation.hpp"

namespace terrane {

namespace {

constexpr std::uint64_t kib = 1024, mib = kib * 1024, gib = mib * 1024;
constexpr std::uint64_t address_bytes_each = 10 * gib;  // frames, tokens and stacks of a processor
constexpr std::uint64_t memory_bytes_least = 64 * mib, memory_bytes_good = 256 * mib;

// --- reading ---

system_bound limit_of(decltype(RLIMIT_NOFILE) which) {
  rlimit limit{};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

/// The number that follows `name` in the text of a system file.
std::uint64_t number_after(const std::string& text, const std::string& name) {
  const std::size_t at = text.find(name);
  if (at == std::string::npos) return 0;
  return std::strtoull(text.c_str() + at + name.size(), nullptr, 10);
}

system_bound number_in(const std::string& path) {
  const auto text = read_system_file(path);
  std::uint64_t number = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc())
    return std::nullopt;
  return number;
}

/// The directory of this process's cgroup of version 2, or of its mount if that is not there.
std::string memory_cgroup() {
  const std::string mount = "/sys/fs/cgroup";
  const auto table = read_system_file("/proc/self/cgroup");
  if (!table) return mount;
  const std::size_t at = table->rfind("0::");
  if (at == std::string::npos) return mount;
  const std::string path = table->substr(at + 3, table->find('\n', at) - at - 3);
  return read_system_file(mount + path + "/memory.max") ? mount + path : mount;
}

/// How much of it can be reserved at once.
std::uint64_t reservable(std::uint64_t bytes) {
  constexpr std::uint64_t each = 2 * gib;
  std::vector<std::unique_ptr<reservation>> all;
  for (std::uint64_t have = 0; have < bytes; have += each) {
    all.push_back(std::make_unique<reservation>(each));
    if (!all.back()->address()) return have;
  }
  return bytes;
}

/// A child reads memory of its parent, as nodes of one host read each other's.
bool reads_other_processes() {
  const std::uint64_t word = 0x1994;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    std::uint64_t copy = 0;
    const iovec into{&copy, sizeof copy}, from{const_cast<std::uint64_t*>(&word), sizeof word};
    const bool right =
        process_vm_readv(parent, &into, 1, &from, 1, 0) == static_cast<ssize_t>(sizeof copy) &&
        copy == word;
    _exit(right ? 0 : 1);
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// --- judging ---

finding sound(std::string what) { return {finding::weight::good, std::move(what), ""}; }
finding remark(std::string what, std::string cure) {
  return {finding::weight::note, std::move(what), std::move(cure)};
}
finding fault(std::string what, std::string cure) {
  return {finding::weight::bad, std::move(what), std::move(cure)};
}

finding judge_cores(const host_facts& facts, int processors) {
  const std::string allowed = facts.cores.sentence;
  if (processors > facts.cores.allowed)
    return remark(fmt::format("{}, and {} are to run here", allowed, processors),
                  fmt::format("say --processors {}, or they take turns", facts.cores.allowed));
  if (facts.load > 0.5 * facts.cores.allowed)
    return remark(fmt::format("{}; others keep {:.1f} cores busy", allowed, facts.load),
                  "expect slower runs, or wait until they have ended");
  return sound(allowed);
}

finding judge_memory(const host_facts& facts, int nodes) {
  std::uint64_t free = facts.memory_free_bytes;
  std::string of =
      fmt::format("{} of {}", bytes_in_words(free), bytes_in_words(facts.memory_bytes));
  if (facts.cgroup_memory_bytes) {
    const std::uint64_t most = *facts.cgroup_memory_bytes;
    const std::uint64_t left = most - std::min(most, facts.cgroup_used_bytes.value_or(0));
    if (left < free) {
      free = left;
      of = fmt::format("{} of {}, the cgroup's limit", bytes_in_words(left), bytes_in_words(most));
    }
  }
  const std::string what = fmt::format("free memory: {}", of);
  const auto wanted = static_cast<std::uint64_t>(std::max(1, nodes));
  if (free < wanted * memory_bytes_least)
    return fault(what, fmt::format("end other programs, or lift the limit: {} {} at least {} each",
                                   plural(wanted, "node"), nodes == 1 ? "takes" : "take",
                                   bytes_in_words(memory_bytes_least)));
  if (free < wanted * memory_bytes_good)
    return remark(what,
                  "large programs will not fit; --max-memory names the node that is too large");
  return sound(what);
}

finding judge_addresses(const host_facts& facts, int processors) {
  const std::uint64_t needed = address_bytes_each * static_cast<std::uint64_t>(processors);
  const std::string each = fmt::format("{} processors need {}", processors, bytes_in_words(needed));
  if (facts.address_bytes && *facts.address_bytes < needed)
    return fault(fmt::format("address space is limited to {}; {}",
                             bytes_in_words(*facts.address_bytes), each),
                 "ulimit -v unlimited");
  if (facts.reserved_bytes < facts.asked_bytes)
    return fault(
        fmt::format("of {} of address space {} could be reserved; {}",
                    bytes_in_words(facts.asked_bytes), bytes_in_words(facts.reserved_bytes), each),
        facts.overcommit == 2 ? "sysctl vm.overcommit_memory=0" : "ulimit -v unlimited");
  return sound(fmt::format("address space for frames and threads' stacks: {} can be reserved",
                           bytes_in_words(facts.asked_bytes)));
}

finding judge_files(const host_facts& facts, int nodes, bool network) {
  // A launcher has three pipes for a node; over a network a node has a connection to each other.
  const auto needed = static_cast<std::uint64_t>(32 + (network ? 4 : 3) * nodes);
  if (!facts.open_files) return sound("open files: no limit");
  const std::string what = fmt::format("open files: {}", *facts.open_files);
  if (*facts.open_files >= needed) return sound(what);
  return fault(fmt::format("{}; {} need {}", what, plural(nodes, "node"), needed),
               fmt::format("ulimit -n {}", std::max<std::uint64_t>(1024, needed)));
}

finding judge_locked(const host_facts& facts) {
  if (!facts.locked_bytes) return sound("locked memory: no limit");
  const std::string what = fmt::format("locked memory: {}", bytes_in_words(*facts.locked_bytes));
  if (*facts.locked_bytes >= 64 * kib) return sound(what);
  return remark(what, "ulimit -l 64, or a run's secret may be written to the swap space");
}

}  // namespace

std::string bytes_in_words(std::uint64_t bytes) {
  const auto in = [&](std::uint64_t unit, const char* name) {
    const double number = static_cast<double>(bytes) / static_cast<double>(unit);
    return bytes % unit == 0 || number >= 100 ? fmt::format("{:.0f} {}", number, name)
                                              : fmt::format("{:.1f} {}", number, name);
  };
  if (bytes >= gib) return in(gib, "GiB");
  if (bytes >= mib) return in(mib, "MiB");
  return in(kib, "KiB");
}

host_facts read_host_facts(int processors) {
  host_facts facts;
  facts.cores = resolve_cpu_budget(this_machine());
  if (processors <= 0) processors = facts.cores.allowed;
  double load[1] = {0};
  if (getloadavg(load, 1) == 1) facts.load = load[0];
  const std::string memory = read_system_file("/proc/meminfo").value_or("");
  facts.memory_bytes = number_after(memory, "MemTotal:") * kib;
  facts.memory_free_bytes = number_after(memory, "MemAvailable:") * kib;
  const std::string cgroup = memory_cgroup();
  facts.cgroup_memory_bytes = number_in(cgroup + "/memory.max");
  facts.cgroup_used_bytes = number_in(cgroup + "/memory.current");
  facts.open_files = limit_of(RLIMIT_NOFILE);
  facts.locked_bytes = limit_of(RLIMIT_MEMLOCK);
  facts.address_bytes = limit_of(RLIMIT_AS);
  facts.processes = limit_of(RLIMIT_NPROC);
  facts.mappings = number_in("/proc/sys/vm/max_map_count").value_or(0);
  facts.overcommit = static_cast<int>(number_in("/proc/sys/vm/overcommit_memory").value_or(0));
  facts.asked_bytes = address_bytes_each * static_cast<std::uint64_t>(processors);
  facts.reserved_bytes = reservable(facts.asked_bytes);
  facts.reads_other_processes = reads_other_processes();
  facts.openssl = openssl_problem();
  return facts;
}

std::vector<finding> judge_host(const host_facts& facts, int nodes, int processors, bool network) {
  if (processors <= 0) processors = facts.cores.allowed;
  std::vector<finding> all{judge_cores(facts, processors), judge_memory(facts, nodes),
                           judge_addresses(facts, processors), judge_files(facts, nodes, network),
                           judge_locked(facts)};
  if (facts.mappings != 0 && facts.mappings < 65530)
    all.push_back(remark(fmt::format("mappings of a process: {}", facts.mappings),
                         "sysctl vm.max_map_count=65530, or few threads can be made"));
  if (facts.processes && *facts.processes < static_cast<std::uint64_t>(4 * processors + 16))
    all.push_back(fault(fmt::format("processes and threads of this user: {}", *facts.processes),
                        fmt::format("ulimit -u {}", 4 * processors + 1000)));
  if (facts.reads_other_processes)
    all.push_back(sound("processes may read each other's large blocks"));
  else
    all.push_back(remark("processes may not read each other's memory (process_vm_readv)",
                         "allow ptrace, or large blocks are copied twice in world shm"));
  if (facts.openssl.empty())
    all.push_back(sound("OpenSSL is there"));
  else
    all.push_back((network ? fault : remark)(facts.openssl, "world tcp needs it"));
  return all;
}

}  // namespace terrane
