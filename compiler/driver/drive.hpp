// SPDX-License-Identifier: Apache-2.0
// drive.hpp: runs `terrane cc`: reads the command line and makes the files it asks for.
#pragma once

#include <string>
#include <vector>

namespace terrane::compiler {

/// Returns the exit code. Errors have been printed on stderr.
int drive(const std::vector<std::string>& words);

}  // namespace terrane::compiler
