// SPDX-License-Identifier: Apache-2.0
// options.hpp: reads the command line of `terrane cc`, which has the options of cc.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile.hpp"
#include "terrane/base/result.hpp"

namespace terrane::compiler {

enum class stage {
  print_c,
  check,
  dependencies,
  preprocess,
  assembly,
  object,
  program,
  help,
  version,
  c_compiler  // the C compiler answers a question
};

struct input {
  enum class language { threaded_c, c, other } kind;  // other: goes to the linker
  std::string path;  // `-`: the standard input; or an option for the linker, kept in order
};

struct driver_options {
  stage until = stage::program;
  std::string output;  // -o
  std::vector<input> inputs;
  read_options reading;
  std::vector<std::string> for_c;       // options of the C compiler when it compiles, in order
  std::vector<std::string> for_linker;  // options of the C compiler when it links, in order
  bool write_dependencies = false;      // -MD, -MMD
  bool with_system_headers = false;     // -MD, -M
  bool empty_rules = false;             // -MP
  std::string dependencies_file;        // -MF
  std::string dependencies_target;      // -MT
  bool shared = false;                  // -shared
  bool verbose = false;
};

/// words: the arguments, without the command's name.
result<driver_options> read_command_line(const std::vector<std::string>& words);

extern const char* const driver_help;

}  // namespace terrane::compiler
