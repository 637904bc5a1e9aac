// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/mpi_launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace terrane {

const mpi_kind mpi_kinds[2] = {
    {"openmpi", "Open MPI", "ompi_mpi_comm_world", "libopenmpi3", "libopenmpi-dev", "openmpi-bin",
     "mpirun.openmpi"},
    {"mpich", "MPICH", "MPIR_Err_create_code", "libmpich12", "libmpich-dev", "mpich",
     "mpirun.mpich"},
};

const mpi_kind* find_mpi(std::string_view name) {
  for (const mpi_kind& each : mpi_kinds)
    if (each.name == name) return &each;
  return nullptr;
}

/// Open MPI and Slurm's PMIx say PMIX_RANK; MPICH and Slurm's PMI2 say PMI_RANK. Slurm's own
/// variables say nothing: a script of sbatch has them, too.
std::optional<mpi_rank> find_mpi_rank(const environment_reader& read) {
  constexpr struct {
    const char* variable;
    const char* kind;
  } signs[] = {
      {"OMPI_COMM_WORLD_RANK", "openmpi"}, {"PMI_RANK", "mpich"}, {"PMIX_RANK", "openmpi"}};
  for (const auto& each : signs)
    if (const char* const said = read(each.variable))
      return mpi_rank{find_mpi(each.kind), std::atoi(said)};
  return {};
}

std::optional<mpi_rank> this_mpi_rank() {
  return find_mpi_rank([](const char* name) { return std::getenv(name); });
}

bool speaks_for_the_run() {
  const auto mine = this_mpi_rank();
  return !mine || mine->rank == 0;
}

void let_rank_0_speak() { sleep(2); }

error become_mpirun(const run_options& options, char** argv) {
  char program[PATH_MAX] = "";
  if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
    return error{fmt::format("the program has no file: {}", std::strerror(errno))};
  const auto start = [&](const char* command, bool open_mpi) {
    std::vector<std::string> words{command, "-n", std::to_string(options.nodes)};
    // Terrane places its threads by itself, and may have more ranks than there are cores.
    if (open_mpi) words.insert(words.end(), {"--oversubscribe", "--bind-to", "none", "--quiet"});
    words.emplace_back(program);
    for (char** each = argv + 1; argv[0] && *each; ++each) words.emplace_back(*each);
    std::vector<char*> raw;
    for (std::string& each : words) raw.push_back(each.data());
    raw.push_back(nullptr);
    execvp(command, raw.data());
  };
  for (const mpi_kind& each : mpi_kinds)
    if (options.mpi.empty() || options.mpi == each.name)
      start(each.command.data(), each.name == "openmpi");
  if (options.mpi.empty())
    return error{fmt::format(
        "--world mpi needs an mpirun, and there is none: on Debian: apt-get install {} or {}",
        mpi_kinds[0].launcher, mpi_kinds[1].launcher)};
  const mpi_kind& asked = *find_mpi(options.mpi);
  return error{fmt::format("--mpi {} needs {}, and it is not here: on Debian: apt-get install {}",
                           asked.name, asked.command, asked.launcher)};
}

}  // namespace terrane
