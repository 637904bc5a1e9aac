// SPDX-License-Identifier: Apache-2.0
// build_program.cpp: builds a listed program that the build beside this command has not built yet.
//
// Method      CMake writes the file .programs beside the command: the build's folder, then a line
//             for each program with its target. An installation has no such file.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tools/terrane/programs.hpp"

namespace terrane {

namespace {

namespace fs = std::filesystem;

struct recipe {
  std::string folder, target;  // empty: there is none
};

recipe recipe_of(std::string_view program) {
  const fs::path own = own_folder();
  if (own.empty()) return {};
  std::ifstream listed(own / ".programs");
  std::error_code wrong;
  recipe found;
  std::string name;
  if (!std::getline(listed, found.folder) || !fs::exists(found.folder, wrong)) return {};
  while (listed >> name >> found.target)
    if (name == program) return found;
  return {};
}

/// Runs cmake; its output goes to stderr, since stdout is the program's.
bool build(const recipe& how) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execlp("cmake", "cmake", "--build", how.folder.c_str(), "--target", how.target.c_str(),
           static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

result<void> build_program(std::string_view program) {
  const recipe how = recipe_of(program);
  if (how.target.empty())
    return error{fmt::format(
        "the program {} is not built: ./dev build, in the sources, builds all of them, those in "
        "Threaded-C where its compiler is",
        program)};
  std::fputs(fmt::format("terrane: {} is not built yet; building it\n", program).c_str(), stderr);
  if (build(how)) return {};
  return error{
      fmt::format("the program {} could not be built; the command was: cmake --build {} "
                  "--target {}",
                  program, how.folder, how.target)};
}

}  // namespace terrane
