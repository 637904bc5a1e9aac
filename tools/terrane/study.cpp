// SPDX-License-Identifier: Apache-2.0
// study.cpp: terrane study: replaces this process by the studies' harness, studies/study.py.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "tools/terrane/command.hpp"

namespace terrane {

namespace {

namespace fs = std::filesystem;

constexpr const char* harness = "studies/study.py";

/// Searches from the command's folder upwards: the sources above a build, or share/ of an
/// installation.
fs::path find_harness(const fs::path& command) {
  for (fs::path folder = command.parent_path(); folder != folder.root_path();
       folder = folder.parent_path())
    for (const fs::path& each : {folder / harness, folder / "share/terrane" / harness})
      if (std::error_code wrong; fs::exists(each, wrong)) return each;
  return {};
}

}  // namespace

int study_command(const words& arguments) {
  std::error_code wrong;
  const fs::path own = fs::read_symlink("/proc/self/exe", wrong);
  const std::string script = wrong ? "" : find_harness(own).string();
  if (script.empty())
    return refuse(fmt::format("{} was not found above {}: the studies come with the sources",
                              harness, own.parent_path().string()));
  setenv("TERRANE_BIN", own.c_str(), 1);
  // The user's own Python and its packages. If that lacks what the studies need, they go on in
  // Debian's (study.py).
  words all{"python3", script};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  return refuse(fmt::format("cannot start python3, in which the studies are written: {}",
                            std::strerror(errno)));
}

}  // namespace terrane
