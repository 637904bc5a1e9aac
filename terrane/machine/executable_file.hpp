// SPDX-License-Identifier: Apache-2.0
// executable_file.hpp: what an ELF file says of itself, read without loading it.
#pragma once

#include <string>

#include "terrane/base/result.hpp"

namespace terrane {

/// An error if that file ends before what its headers speak of: loading it would crash. Of what is
/// no ELF file, or cannot be read, the loader says more.
result<void> require_whole(const std::string& path);

/// False for an ELF program that has the runtime neither in it nor among what it is linked with.
bool may_hold_runtime(const std::string& path);

}  // namespace terrane
