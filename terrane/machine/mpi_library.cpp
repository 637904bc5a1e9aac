// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/mpi_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "terrane/machine/mpi_launch.hpp"
#include "terrane/machine/part_library.hpp"

namespace terrane {

namespace {

bool is_in_process(const mpi_kind& kind) { return dlsym(RTLD_DEFAULT, kind.mark.data()); }

result<const terrane_mpi_table*> open_part_of(const mpi_kind& kind) {
  auto table = open_part({.title = kind.title,
                          .file = fmt::format("libterrane_mpi_{}.so", kind.name),
                          .table = TERRANE_MPI_PART_NAME,
                          .version = TERRANE_MPI_TABLE_VERSION,
                          .package = kind.package,
                          .headers = kind.headers,
                          .asked_with = "world mpi"});
  if (!table) return error{table.problem()};
  return static_cast<const terrane_mpi_table*>(table.value());
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
  auto part = open_part_of(*chosen);
  if (!part) return part;
  opened = part.value();
  opened_name = chosen->name;
  return opened;
}

}  // namespace terrane
