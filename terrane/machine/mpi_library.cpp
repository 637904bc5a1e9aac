// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/mpi_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <vector>

#include "terrane/machine/mpi_launch.hpp"

namespace terrane {

namespace {

bool is_in_process(const mpi_kind& kind) { return dlsym(RTLD_DEFAULT, kind.mark.data()); }

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

result<const terrane_mpi_table*> open_part(const mpi_kind& kind) {
  const std::string file = fmt::format("libterrane_mpi_{}.so", kind.name);
  for (const std::string& folder : folders_of_parts()) {
    const std::string path = folder + file;
    if (!folder.empty() && access(path.c_str(), R_OK) != 0) continue;
    // Global: an MPI's own plug-ins look for its symbols.
    void* const part = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!part && folder.empty()) break;
    if (!part)
      return error{fmt::format("{} is not on this machine ({}): on Debian: apt-get install {}",
                               kind.title, dlerror(), kind.package)};
    const auto table =
        reinterpret_cast<terrane_mpi_part_function*>(dlsym(part, TERRANE_MPI_PART_NAME));
    if (!table || table()->version != TERRANE_MPI_TABLE_VERSION)
      return error{fmt::format("{} belongs to another version of terrane: build it again", path)};
    return table();
  }
  return error{fmt::format(
      "world mpi needs {} for {}, which was not built: on Debian: apt-get install {}, then build "
      "terrane again",
      file, kind.title, kind.headers)};
}

}  // namespace

bool has_mpi() {
  for (const mpi_kind& each : mpi_kinds)
    if (is_in_process(each)) return true;
  return false;
}

result<const terrane_mpi_table*> open_mpi(const std::string& asked) {
  static const terrane_mpi_table* opened = nullptr;
  static std::string opened_name;
  if (opened && (asked.empty() || asked == opened_name)) return opened;
  const mpi_kind* here = nullptr;
  for (const mpi_kind& each : mpi_kinds) {
    if (!is_in_process(each)) continue;
    if (here)
      return error{fmt::format("{} and {} are both in this process: link the program with one",
                               here->title, each.title)};
    here = &each;
  }
  const auto started = this_mpi_rank();
  if (here && started && started->kind != here)
    return error{fmt::format("this program uses {}, and {}'s launcher started it: use {}",
                             here->title, started->kind->title, here->command)};
  const mpi_kind* chosen = here ? here : started ? started->kind : &mpi_kinds[0];
  if (!asked.empty() && (here || started) && chosen->name != asked)
    return error{fmt::format("--mpi {} contradicts {}, which {}: leave it out", asked,
                             chosen->title, here ? "the program uses" : "started it")};
  if (!asked.empty()) chosen = find_mpi(asked);
  auto part = open_part(*chosen);
  if (!part) return part;
  opened = part.value();
  opened_name = chosen->name;
  return opened;
}

}  // namespace terrane
