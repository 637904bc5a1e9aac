// SPDX-License-Identifier: Apache-2.0
// programs.hpp: the programs that come with Terrane, and where a program to run is found.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "terrane/base/result.hpp"

namespace terrane {

struct listed_argument {
  std::string_view name;
  std::string_view otherwise;  // what it is when left out
  std::string_view range, meaning;
};

struct listed_program {
  std::string_view name;
  std::span<const listed_argument> arguments;
  std::string_view summary;
};

/// Those of the folder programs/.
std::span<const listed_program> listed_programs();
/// The one of that name, or null.
const listed_program* find_listed_program(std::string_view name);

/// What it is and what it takes.
std::string help_of_program(const listed_program& which);

/// The file to execute for `program`: a path if it holds a slash, else the name of a listed
/// program, which lies in the libexec folder of an installation, or beside this command. Where a
/// program is in both languages, the one in C++.
result<std::string> locate_program(const std::string& program);

}  // namespace terrane
