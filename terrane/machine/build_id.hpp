// SPDX-License-Identifier: Apache-2.0
// build_id.hpp: a text that differs if two executables differ.
#pragma once

#include <string>

#include "terrane/base/result.hpp"

namespace terrane {

/// The id that the linker put into an ELF file (NT_GNU_BUILD_ID), in hexadecimal digits; of a file
/// without one, a hash of its bytes. At most 64 letters.
result<std::string> build_id_of_file(const std::string& path);

/// That of the executable of this process.
result<std::string> own_build_id();

}  // namespace terrane
