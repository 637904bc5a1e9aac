// SPDX-License-Identifier: Apache-2.0
// symbols.hpp: whether what is linked has its MAIN, and only one, or none of what it may not have.
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
/// Of a shared library: none of its files defines variables that exist once per node.
std::string check_shared(const std::vector<linked_file>& files);

}  // namespace terrane::compiler
