// SPDX-License-Identifier: Apache-2.0
// executable_file.hpp: checks an ELF file by reading it, without loading it.
#pragma once

#include <string>

#include "terrane/base/result.hpp"

namespace terrane {

/// An error if the file ends before the data that its headers refer to: loading it would crash. No
/// error for a file that is not ELF or cannot be read: the loader reports it better.
result<void> require_whole(const std::string& path);

/// False for an ELF program that neither contains the runtime nor is linked to it.
bool may_hold_runtime(const std::string& path);

}  // namespace terrane
