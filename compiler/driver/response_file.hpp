// SPDX-License-Identifier: Apache-2.0
// response_file.hpp: @file on the command line stands for the words in that file.
#pragma once

#include <string>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane::compiler {

/// As cc does it: words are separated by blanks, quoted by '' or "", a backslash takes the next
/// character as it is; @file within such a file counts as well. A word that names no file stays.
result<std::vector<std::string>> with_response_files(const std::vector<std::string>& words);

}  // namespace terrane::compiler
