// SPDX-License-Identifier: Apache-2.0
// programs.cpp: the table behind `terrane programs`, and how a program is found.
#include "tools/terrane/programs.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include "terrane/machine/wording.hpp"
#include "tools/terrane/command.hpp"

namespace terrane {

namespace {

namespace fs = std::filesystem;

constexpr std::array<listed_program, 7> table{{
    {"fib", "N", "33", "every call a token: the finest grain there is"},
    {"queens", "N T", "12 4", "all placements of N queens, in tokens down to row T"},
    {"knary", "N K R G", "7 7 2 400", "a K-ary tree of N levels, R branches in sequence"},
    {"reduce", "", "", "items of all processors into one mailbox, and added"},
    {"remote_sum", "", "", "two numbers of other processors fetched at once"},
    {"matmul", "N ROWS", "256 16", "a token per ROWS rows of a matrix, by block moves"},
    {"barrier", "ROUNDS", "10", "a barrier of slots and a mailbox between rounds"},
}};

/// "" if the file can be executed, else what is wrong, to follow its path.
std::string why_not_executable(const std::string& path) {
  struct stat about;
  if (stat(path.c_str(), &about) != 0) {
    if (errno == ENOENT) return "does not exist";
    return fmt::format("cannot be reached: {}", std::strerror(errno));
  }
  if (S_ISDIR(about.st_mode)) return "is a folder, not a program";
  if (!S_ISREG(about.st_mode)) return "is no program";
  if (access(path.c_str(), X_OK) != 0)
    return "may not be executed: a source must be compiled, a script needs chmod +x";
  return "";
}

/// Where the programs of this build, or of this installation, may lie.
std::vector<fs::path> folders() {
  std::error_code wrong;
  const fs::path own = fs::read_symlink("/proc/self/exe", wrong).parent_path();
  if (wrong) return {};
  return {own.parent_path() / "libexec" / "terrane", own};
}

/// The path of a listed program; empty if it was not built.
std::string built_program(std::string_view name) {
  for (const fs::path& folder : folders()) {
    const std::string path = folder / name;
    if (why_not_executable(path).empty()) return path;
  }
  return "";
}

error no_such_program(const std::string& name) {
  std::error_code ignored;
  if (name != "." && name != ".." && fs::exists(name, ignored))
    return {fmt::format("a program of your own needs a path: terrane run ./{}", name)};
  std::vector<std::string_view> names;
  std::string all;
  for (const listed_program& each : table) {
    names.push_back(each.name);
    all += fmt::format("{}{}", all.empty() ? "" : ", ", each.name);
  }
  const std::string_view near = nearest(name, names);
  const std::string hint =
      near.empty() ? "choose one of " + all : fmt::format("did you mean {}?", near);
  return {fmt::format("there is no program '{}': {} (your own needs a path, such as ./prog)", name,
                      hint)};
}

}  // namespace

std::span<const listed_program> listed_programs() { return table; }

const listed_program* find_listed_program(std::string_view name) {
  for (const listed_program& each : table)
    if (each.name == name) return &each;
  return nullptr;
}

result<std::string> locate_program(const std::string& program) {
  if (program.find('/') != program.npos) {
    const std::string why = why_not_executable(program);
    if (!why.empty()) return error{fmt::format("cannot run {}: it {}", program, why)};
    return program;
  }
  if (!find_listed_program(program)) return no_such_program(program);
  const std::string path = built_program(program);
  if (path.empty())
    return error{fmt::format(
        "the program {} is not built: ./dev build, in the sources, builds all of them", program)};
  return path;
}

int programs_command(const words&) {
  std::string text = fmt::format("{:<16}{:<11}{}\n", "program", "default", "what it shows");
  for (const listed_program& each : table)
    text += fmt::format("{:<16}{:<11}{}{}\n", fmt::format("{} {}", each.name, each.arguments),
                        each.defaults, each.summary,
                        built_program(each.name).empty() ? " (not built)" : "");
  text += "\nTo run one: terrane run --nodes 4 queens 12 4\n";
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace terrane
