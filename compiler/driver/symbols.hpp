// SPDX-License-Identifier: Apache-2.0
// symbols.hpp: whether a program that is linked has its MAIN, and only one.
#pragma once

#include <string>
#include <vector>

namespace terrane::compiler {

/// An object or archive, and what the user calls it.
struct linked_file {
  std::string path, name;
};

/// The sentence that says what is wrong, or "".
std::string check_main(const std::vector<linked_file>& files);

}  // namespace terrane::compiler
