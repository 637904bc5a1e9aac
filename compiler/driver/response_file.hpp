// SPDX-License-Identifier: Apache-2.0
// response_file.hpp: replaces @file on the command line by the words in that file.
#pragma once

#include <string>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane::compiler {

/// As in cc: words are separated by blanks and quoted by '' or "", and a backslash takes the next
/// character as it is. @file within such a file is replaced, too. A word that names no file stays.
result<std::vector<std::string>> with_response_files(const std::vector<std::string>& words);

}  // namespace terrane::compiler
