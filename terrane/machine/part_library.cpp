// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/part_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace terrane {

namespace {

/// Where parts may lie: beside the program, where programs are installed, where this was built, and
/// where the system looks.
std::vector<std::string> folders_of_parts() {
  std::vector<std::string> all;
  if (const char* const said = std::getenv("TERRANE_PARTS"))
    all.emplace_back(std::string(said) + '/');
  char program[PATH_MAX] = "";
  if (readlink("/proc/self/exe", program, sizeof program - 1) > 0) {
    const std::string path = program;
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    all.insert(all.end(), {folder, folder + "../lib/", folder + "../lib/terrane/"});
  }
#ifdef TERRANE_PARTS_FOLDER
  all.emplace_back(TERRANE_PARTS_FOLDER "/");
#endif
  all.emplace_back();
  return all;
}

}  // namespace

result<const void*> open_part(const part_kind& kind) {
  for (const std::string& folder : folders_of_parts()) {
    const std::string path = folder + kind.file;
    if (!folder.empty() && access(path.c_str(), R_OK) != 0) continue;
    // Global: plug-ins of the other library look for its symbols.
    void* const part = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!part && folder.empty()) break;
    if (!part)
      return error{fmt::format("{} is not on this machine ({}): on Debian: apt-get install {}",
                               kind.title, dlerror(), kind.package)};
    using table_function = const void*();
    const auto table = reinterpret_cast<table_function*>(dlsym(part, kind.table));
    std::uint32_t version = 0;
    if (table) std::memcpy(&version, table(), sizeof version);
    if (version != kind.version)
      return error{fmt::format("{} belongs to another version of terrane: build it again", path)};
    return table();
  }
  return error{fmt::format(
      "{} needs {} for {}, which was not built: on Debian: apt-get install {}, then build terrane "
      "again",
      kind.asked_with, kind.file, kind.title, kind.headers)};
}

}  // namespace terrane
