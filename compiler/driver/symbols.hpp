// SPDX-License-Identifier: Apache-2.0
// symbols.hpp: checks that a program has exactly one MAIN, and a shared library no node variables.
#pragma once

#include <string>
#include <vector>

namespace terrane::compiler {

/// An object or archive, and its name for the user.
struct linked_file {
  std::string path, name;
};

/// Checks the files of a program. Returns "", or a sentence that says what is wrong.
std::string check_main(const std::vector<linked_file>& files);
/// Checks the files of a shared library, which may define no variables that exist once per node.
/// Returns "", or a sentence that says what is wrong.
std::string check_shared(const std::vector<linked_file>& files);

}  // namespace terrane::compiler
