// SPDX-License-Identifier: Apache-2.0
// programs.cpp: runs `terrane programs`, and finds the file of a program.
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

/// "" if the file can be executed, else the reason, as words to follow its path.
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

/// The folders in which the programs of this build or installation may lie, those in C++ first.
std::vector<fs::path> folders() {
  const fs::path own = own_folder();
  if (own.empty()) return {};
  const fs::path installed = own.parent_path() / "libexec" / "terrane";
  return {installed, own, installed / "threaded_c", own / "threaded_c"};
}

/// The path of a listed program; empty if it was not built.
std::string built_program(std::string_view name) {
  for (const fs::path& folder : folders()) {
    const std::string path = folder / name;
    if (why_not_executable(path).empty()) return path;
  }
  return "";
}

/// The member `word` of each argument, separated by blanks.
std::string words_of(const listed_program& which, std::string_view listed_argument::* word) {
  std::string all;
  for (const listed_argument& each : which.arguments)
    all += fmt::format("{}{}", all.empty() ? "" : " ", each.*word);
  return all;
}

std::string name_and_arguments(const listed_program& which) {
  const char* gap = which.arguments.empty() ? "" : " ";
  return fmt::format("{}{}{}", which.name, gap, words_of(which, &listed_argument::name));
}

error no_such_program(const std::string& name) {
  std::error_code ignored;
  if (name != "." && name != ".." && fs::exists(name, ignored))
    return {fmt::format("a program of your own needs a path: terrane run ./{}", name)};
  std::vector<std::string_view> names;
  std::string all;
  for (const listed_program& each : listed_programs()) {
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

fs::path own_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

const listed_program* find_listed_program(std::string_view name) {
  for (const listed_program& each : listed_programs())
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
  if (std::string path = built_program(program); !path.empty()) return path;
  if (const auto built = build_program(program); !built) return error{built.problem()};
  return built_program(program);
}

std::string help_of_program(const listed_program& which) {
  std::string text = fmt::format("usage: terrane run [OPTIONS] {}\n\n{}: {}\n",
                                 name_and_arguments(which), which.name, which.summary);
  if (!which.arguments.empty()) text += "\nWhat is left out is as here:\n";
  for (const listed_argument& each : which.arguments)
    text += fmt::format("  {:<7}{:<8}{}{}{}\n", each.name, each.otherwise, each.range,
                        each.range.empty() ? "" : ": ", each.meaning);
  return text + "\nThe options: terrane run --help.\n";
}

int programs_command(const words& arguments) {
  if (arguments.size() > 1)
    return refuse(fmt::format("programs takes one program, not also '{}'", arguments[1]));
  if (arguments.size() == 1) {
    const listed_program* which = find_listed_program(arguments[0]);
    if (!which) return refuse(no_such_program(arguments[0]).text);
    std::fputs(help_of_program(*which).c_str(), stdout);
    return 0;
  }
  std::string text = fmt::format("{:<21}{:<14}{}\n", "program", "default", "what it shows");
  for (const listed_program& each : listed_programs()) {
    std::string takes = name_and_arguments(each);
    if (takes.size() > 20)
      takes = fmt::format("{} ...", each.name);  // `programs grep` lists them all
    text += fmt::format("{:<21}{:<14}{}{}\n", takes, words_of(each, &listed_argument::otherwise),
                        each.summary, built_program(each.name).empty() ? " (not built)" : "");
  }
  text +=
      "\nTo run one: terrane run --nodes 4 queens 12 4\n"
      "What one takes: terrane programs queens\n";
  std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace terrane
