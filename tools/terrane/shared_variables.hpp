// SPDX-License-Identifier: Apache-2.0
// shared_variables.hpp: the variables of an object file that all threads of a process share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace terrane {

struct shared_variable {
  std::string name;
  std::uint64_t bytes;
};

/// Those that may be written, as the object's table of symbols has them. None of a file that is no
/// object of this kind of machine.
std::vector<shared_variable> shared_variables_of(const std::string& object);

}  // namespace terrane
