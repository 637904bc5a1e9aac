// SPDX-License-Identifier: Apache-2.0
// drive.hpp: `terrane cc`: from the command line to the files it asks for.
#pragma once

#include <string>
#include <vector>

namespace terrane::compiler {

/// Returns the exit code; has said on stderr what is wrong.
int drive(const std::vector<std::string>& words);

}  // namespace terrane::compiler
