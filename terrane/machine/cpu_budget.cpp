// SPDX-License-Identifier: Apache-2.0
// cpu_budget.cpp: reads the limits of affinity masks and cgroups, and chooses the smallest.
//
// Where       /proc/self/cgroup has one line per hierarchy: "0::/path" is v2,
//             "4:cpu,cpuacct:/path" is v1. v2 is mounted at /sys/fs/cgroup, or at
//             /sys/fs/cgroup/unified beside v1 (hybrid).
// Containers  A container often sees a path that its own mount does not have, since the mount
//             begins at the container's cgroup. Levels that do not exist are skipped, up to the
//             root of the mount, which then is the container's cgroup. So the mount table need not
//             be read.
#include "terrane/machine/cpu_budget.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <memory>
#include <utility>

namespace terrane {
namespace {

constexpr int cpus_max = 1 << 16;  // far above any kernel's limit; bounds sizes from invalid text
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The result of one rule.
struct limit {
  double cpus = unlimited;
  std::string rule;
  std::string words;  // its part of the sentence
  bool is_quota = false;
};

/// A cgroup to read: its directory, and its name for the user.
struct cgroup_level {
  std::string directory;
  std::string name;
};

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

/// The number, if the text consists of digits only and the number fits; otherwise nothing.
std::optional<long long> whole_number(std::string_view text) {
  long long number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (text.empty() || problem != std::errc() || stop != end || number < 0) return std::nullopt;
  return number;
}

/// The limit that a quota sets; nothing for "max", for -1, and for text that is no quota.
std::optional<limit> quota_limit(std::string_view quota, std::string_view period,
                                 const std::string& rule, const std::string& where) {
  const auto quota_us = whole_number(quota);
  const auto period_us = whole_number(period);
  if (!quota_us || !period_us || *quota_us == 0 || *period_us == 0) return std::nullopt;
  limit found;
  found.cpus = static_cast<double>(*quota_us) / static_cast<double>(*period_us);
  found.rule = rule;
  found.words.append(rule).append(" quota ").append(quota).append("/").append(period);
  found.words.append(" in ").append(where);
  found.is_quota = true;
  return found;
}

/// The levels from the cgroup itself up to the root of its mount.
std::vector<cgroup_level> levels_of(const std::string& mount, std::string_view path) {
  constexpr std::size_t path_bytes_max = 4096;  // the kernel opens nothing longer
  const auto steps = split(path, "/");
  const bool above_mount = std::find(steps.begin(), steps.end(), "..") != steps.end();
  std::vector<cgroup_level> levels;
  if (path.starts_with('/') && path.size() < path_bytes_max && !above_mount)
    for (; path.size() > 1; path = path.substr(0, path.rfind('/')))
      levels.push_back({mount + std::string(path), std::string(path)});
  levels.push_back({mount, "/"});
  return levels;
}

/// The path of this process in the hierarchy whose controllers `accept` accepts.
template <class Accept>
std::optional<std::pair<std::string, std::string>> own_cgroup(const std::string& root,
                                                              Accept accept) {
  const auto table = read_system_file(root + "/proc/self/cgroup");
  if (!table) return std::nullopt;
  for (const std::string_view line : split(*table, "\n")) {
    const std::size_t first = line.find(':');
    if (first == std::string_view::npos) continue;
    const std::size_t second = line.find(':', first + 1);  // the path may hold further colons
    if (second == std::string_view::npos) continue;
    const std::string_view number = line.substr(0, first);
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    if (accept(number, controllers))
      return std::pair(std::string(controllers), std::string(line.substr(second + 1)));
  }
  return std::nullopt;
}

void look_at_v2(const cgroup_level& level, std::vector<limit>& found) {
  if (const auto quota = read_system_file(level.directory + "/cpu.max")) {
    const auto words = split(*quota, " \t\n");
    if (words.size() == 2) {
      const auto limited = quota_limit(words[0], words[1], "cgroup v2", level.name);
      if (limited) found.push_back(*limited);
    }
  }
  if (const auto text = read_system_file(level.directory + "/cpuset.cpus.effective")) {
    const auto cpus = parse_cpu_list(*text);
    if (!cpus) return;
    limit set{static_cast<double>(cpus->size()), "cgroup v2", "cgroup v2 cpuset ", false};
    set.words.append(split(*text, " \t\n").front()).append(" in ").append(level.name);
    found.push_back(set);
  }
}

void look_at_v1(const cgroup_level& level, std::vector<limit>& found) {
  const auto quota = read_system_file(level.directory + "/cpu.cfs_quota_us");
  const auto period = read_system_file(level.directory + "/cpu.cfs_period_us");
  if (!quota || !period) return;
  const auto quota_words = split(*quota, " \t\n");
  const auto period_words = split(*period, " \t\n");
  if (quota_words.size() != 1 || period_words.size() != 1) return;
  const auto limited = quota_limit(quota_words[0], period_words[0], "cgroup v1", level.name);
  if (limited) found.push_back(*limited);
}

void find_v2_limits(const std::string& root, std::vector<limit>& found) {
  const auto own = own_cgroup(root, [](std::string_view number, std::string_view controllers) {
    return number == "0" && controllers.empty();
  });
  if (!own) return;
  for (const char* const place : {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"}) {
    const std::string mount = root + place;
    if (!read_system_file(mount + "/cgroup.controllers")) continue;
    for (const auto& level : levels_of(mount, own->second)) look_at_v2(level, found);
    return;
  }
}

void find_v1_limits(const std::string& root, std::vector<limit>& found) {
  const auto own = own_cgroup(root, [](std::string_view, std::string_view controllers) {
    const auto names = split(controllers, ",");
    return std::find(names.begin(), names.end(), "cpu") != names.end();
  });
  if (!own) return;
  std::vector<std::string> places = {"cpu"};
  if (own->first != "cpu") places.push_back(own->first);  // such as cpu,cpuacct
  for (const std::string& place : places) {
    const std::string mount = root + "/sys/fs/cgroup/" + place;
    for (const auto& level : levels_of(mount, own->second)) look_at_v1(level, found);
  }
}

int whole_processors(double cpus) {
  if (cpus == unlimited) return 1;  // no count is known
  return static_cast<int>(std::clamp(std::ceil(cpus), 1.0, static_cast<double>(cpus_max)));
}

std::string sentence_for(int processors, std::string_view words) {
  std::string line = "processors: " + std::to_string(processors);
  line.append(" (").append(words).append(")");
  return line;
}

}  // namespace

std::optional<std::string> read_system_file(const std::string& path) {
  constexpr std::streamsize bytes_max = 64 * 1024;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text(bytes_max, '\0');
  file.read(text.data(), bytes_max);
  if (file.bad()) return std::nullopt;  // a directory, or the kernel refused to read it
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  const auto lists = split(text, " \t\n");
  if (lists.size() != 1) return std::nullopt;
  constexpr std::size_t listed_max = 2 * cpus_max;  // ranges may overlap, but only so much
  std::vector<int> cpus;
  for (const std::string_view range : split(lists.front(), ",")) {
    const std::size_t dash = range.find('-');
    const auto first = whole_number(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole_number(range.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= cpus_max) return std::nullopt;
    for (long long cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<int>(cpu));
    if (cpus.size() > listed_max) return std::nullopt;
  }
  if (cpus.empty()) return std::nullopt;
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::vector<int> affinity_cpus() {
  std::vector<int> cpus;
  for (int room = 1024; room <= cpus_max; room *= 4) {  // EINVAL: the mask is too small
    const auto free_mask = [](cpu_set_t* mask) { CPU_FREE(mask); };
    const std::unique_ptr<cpu_set_t, decltype(free_mask)> mask(CPU_ALLOC(room), free_mask);
    const std::size_t bytes = CPU_ALLOC_SIZE(room);
    if (!mask) return cpus;
    CPU_ZERO_S(bytes, mask.get());
    if (sched_getaffinity(0, bytes, mask.get()) == 0) {
      for (int cpu = 0; cpu < room; ++cpu)
        if (CPU_ISSET_S(cpu, bytes, mask.get())) cpus.push_back(cpu);
      return cpus;
    }
    if (errno != EINVAL) return cpus;
  }
  return cpus;
}

cpu_view this_machine() {
  cpu_view view;
  view.affinity = static_cast<int>(affinity_cpus().size());
  // The file is read first, since some C libraries answer sysconf from the affinity mask.
  const auto text = read_system_file("/sys/devices/system/cpu/online");
  const auto online = text ? parse_cpu_list(*text) : std::nullopt;
  view.online = online ? static_cast<int>(online->size())
                       : static_cast<int>(std::max(0L, sysconf(_SC_NPROCESSORS_ONLN)));
  return view;
}

cpu_budget resolve_cpu_budget(const cpu_view& view, int asked) {
  const bool counted = view.online > 0;
  limit smallest{counted ? static_cast<double>(view.online) : unlimited, "online",
                 counted ? "online CPUs" : "no CPU count can be read here", false};

  std::vector<limit> limits;
  if (view.affinity > 0) {
    limits.push_back({static_cast<double>(view.affinity), "affinity", "affinity mask", false});
    if (counted)
      limits.back().words.append(", ").append(std::to_string(view.online)).append(" CPUs online");
  }
  find_v2_limits(view.root, limits);
  find_v1_limits(view.root, limits);

  double own_cpus = unlimited;  // how many we could keep busy without a quota
  for (const int count : {view.affinity, view.online})
    if (count > 0) own_cpus = std::min(own_cpus, static_cast<double>(count));

  cpu_budget budget;
  for (const limit& one : limits) {
    if (one.cpus < smallest.cpus) smallest = one;
    budget.quota_in_force = budget.quota_in_force || (one.is_quota && one.cpus < own_cpus);
  }
  budget.allowed = whole_processors(smallest.cpus);
  budget.processors = budget.allowed;
  budget.rule = smallest.rule;
  budget.sentence = sentence_for(budget.processors, smallest.words);
  if (asked < 1) return budget;

  budget.processors = asked;
  budget.rule = "--processors";
  std::string words = "--processors";
  if (asked > budget.allowed) {
    words.append(", above the limit of ").append(std::to_string(budget.allowed));
    words.append(": ").append(smallest.words);
  }
  budget.sentence = sentence_for(asked, words);
  return budget;
}

}  // namespace terrane
