// SPDX-License-Identifier: Apache-2.0
// surroundings.hpp: finds the compiler's headers and library, and the C compiler.
//
// Everything lies relative to the executable, in a build tree as in an installation:
//   bin/terrane-cc   include/terrane/   lib/libterrane.a   lib/terrane/clang/ (Clang's own headers)
#pragma once

#include <string>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane::compiler {

struct surroundings {
  std::string include_folder;
  std::string library;
  std::string builtin_headers;
  std::vector<std::string> c_compiler;  // its name and its first arguments
  std::vector<std::string> system_include_folders;
};

/// c_options: the options of the C compiler, since some change where it looks for headers.
/// command: the path of terrane-cc; everything else lies relative to it.
result<surroundings> find_surroundings(const std::vector<std::string>& c_options,
                                       const std::string& command = "/proc/self/exe");

}  // namespace terrane::compiler
