// SPDX-License-Identifier: Apache-2.0
// grep.hpp: the threads of the program grep: one goes through a directory, one searches a file.
//
// Invariants  All that a thread needs lies on its stack as plain bytes. So it may move until
//             it opens a file; from then on it stays until it has printed.
#pragma once

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "programs/grep/search.hpp"
#include "programs/grep/work.hpp"
#include "terrane/core/node.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/migration.hpp"

namespace terrane::programs {

/// Work in world `sim`, as on a current core: a byte read and searched; what it costs more if its
/// file lies on another node's disk; a name in a directory.
constexpr operation grep_byte{"grep_byte", 1.0}, grep_remote_byte{"grep_remote_byte", 1.5},
    grep_entry{"grep_entry", 1000.0};

/// What lies between two waits of a thread costs nothing more: in world `sim` no time is measured.
inline void grep_declared() { charge(grep_entry, 0); }

/// The node on whose disk the files of a directory lie, drawn from its path below the directory
/// that is searched: the same wherever that lies. It may not exist.
inline node_id grep_owner(std::string_view directory, std::uint32_t disks) {
  std::uint32_t hash = 2166136261u;
  for (const char each : directory) hash = (hash ^ static_cast<unsigned char>(each)) * 16777619u;
  return (hash >> 8) % disks;
}
/// The path below the directory that is searched; empty for that one itself.
inline std::string_view below_root(const grep_work& work) {
  const std::string_view path = work.path;
  return path.substr(std::min<std::size_t>(path.size(), work.root_letters + std::size_t{1}));
}
/// The directory of a path; empty for one that has none.
inline std::string_view directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}

/// The names in a directory, in order: the file system's own order differs from one to the next.
inline std::vector<std::string> names_in(const char* path) {
  std::vector<std::string> names;
  DIR* const listing = opendir(path);
  if (!listing) return names;
  while (const dirent* const each = readdir(listing))
    if (const std::string_view name = each->d_name; name != "." && name != "..")
      names.emplace_back(name);
  closedir(listing);
  std::sort(names.begin(), names.end());
  return names;
}

/// Chooses where files are pushed to. Used on node 0 only, which goes through the directories then.
class grep_targets {
 public:
  node_id next(const grep_work& about) {
    const node_id nodes = terrane_nodes();
    if (nodes == 1) return 0;
    if (about.policy == grep_policy::round_robin) return 1 + pushed_++ % (nodes - 1);
    loads_.resize(nodes, 0);
    if (pushed_++ == 0) loads_[0] = -1;
    node_id least = 0;
    for (node_id each = 1; each < nodes; ++each)
      if (loads_[each] < loads_[least] * (least == 0 ? 0.8 : 1.0)) least = each;
    struct stat file{};
    if (stat(about.path, &file) == 0) loads_[least] += static_cast<double>(file.st_size);
    return least;
  }

 private:
  std::uint32_t pushed_ = 0;
  std::vector<double> loads_;
};

inline void grep_search(const grep_work& work) {
  grep_declared();
  if (work.goes_to < terrane_nodes())
    this_thread::push_self(work.goes_to);
  else
    this_thread::yield();  // another node may take it here
  const this_thread::stay_here until_printed;
  const std::uint64_t start = here().world().now();
  const std::string text = read_file(work.path);
  std::string found = matching_lines(work.path, text, work.pattern);
  charge(grep_byte, text.size());
  const bool remote =
      grep_owner(directory_of(below_root(work)), work.disks) != here().home().number();
  if (work.remote_us != 0 && remote) {
    charge(grep_remote_byte, text.size());
    if (!here().priced) this_thread::sleep_for(std::uint64_t{work.remote_us} * 1000);
  }
  if (work.tells_lives)
    found = fmt::format("{}:{:.1f}:{}\n", work.path,
                        1e-3 * static_cast<double>(here().world().now() - start),
                        remote ? "remote" : "local");
  std::fwrite(found.data(), 1, found.size(), stdout);  // as one block
}

inline void grep_cascade(const grep_work& work, grep_targets* targets);

inline thread grep_thread(const grep_work& work, bool directory, grep_targets* targets) {
  const bool pushed =
      work.policy != grep_policy::steal_search && work.policy != grep_policy::steal_cascade;
  const thread_options how{.name = directory ? "cascade" : "search"};
  const bool moves = work.policy == grep_policy::locality ||
                     (directory ? work.policy == grep_policy::steal_cascade
                                : pushed || work.policy == grep_policy::steal_search);
  const auto made = [&](const auto& call) {
    return moves ? thread::create_migratable(how, call) : thread::create(how, call);
  };
  if (directory) return made([work, targets] { grep_cascade(work, targets); });
  return made([work] { grep_search(work); });
}

inline void grep_cascade(const grep_work& work, grep_targets* targets) {
  grep_declared();
  if (work.goes_to < terrane_nodes())
    this_thread::push_self(work.goes_to);
  else
    this_thread::yield();
  const this_thread::stay_here until_joined;
  grep_declared();
  std::vector<thread> below;
  for (const std::string& name : names_in(work.path)) {
    grep_work next = work;
    const int bytes = std::snprintf(next.path, sizeof next.path, "%s/%s", work.path, name.c_str());
    charge(grep_entry, 1);
    struct stat about{};
    if (bytes >= static_cast<int>(sizeof next.path) || lstat(next.path, &about) != 0) continue;
    const bool directory = S_ISDIR(about.st_mode);
    if (!directory && !S_ISREG(about.st_mode)) continue;
    if (work.policy == grep_policy::locality)
      next.goes_to = grep_owner(below_root(directory ? next : work), work.disks);
    else if (!directory &&
             (work.policy == grep_policy::round_robin || work.policy == grep_policy::by_load))
      next.goes_to = targets->next(next);
    below.push_back(grep_thread(next, directory, targets));
  }
  for (thread& each : below) {
    each.join();
    grep_declared();
  }
}

inline int grep_main(int argc, char** argv) {
  grep_work work;
  if (!read_grep_arguments(argc, argv, work)) return 2;
  grep_targets targets;
  grep_declared();
  grep_thread(work, true, &targets).join();
  grep_declared();
  return 0;
}

}  // namespace terrane::programs
