// SPDX-License-Identifier: Apache-2.0
// programs.hpp: the programs that come with Terrane, and the search for a program to run.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.hpp"

namespace terrane {

struct listed_argument {
  std::string_view name;
  std::string_view otherwise;  // its value if it is left out
  std::string_view range, meaning;
};

struct listed_program {
  std::string_view name;
  std::span<const listed_argument> arguments;
  std::string_view summary;
};

/// The programs of the folder programs/.
std::span<const listed_program> listed_programs();
/// The program of that name, or null.
const listed_program* find_listed_program(std::string_view name);

/// The folder that this command lies in; empty if that cannot be told.
std::filesystem::path own_folder();

/// Builds the program of that name, where this command belongs to a build that can.
result<void> build_program(std::string_view program);

/// A text that describes the program and its arguments.
std::string help_of_program(const listed_program& which);

/// The file to execute for `program`, which is a path if it holds a slash, else the name of a
/// listed program. Such a program lies in the libexec folder of an installation, or beside this
/// command. If it exists in both languages, the one in C++ is taken. One that is not built yet is
/// built.
result<std::string> locate_program(const std::string& program);

}  // namespace terrane
