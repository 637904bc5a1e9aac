// SPDX-License-Identifier: Apache-2.0
// build_id.hpp: a text that is equal in two processes if they run the same executable.
#pragma once

#include <string>

namespace terrane {

/// The identity that the linker wrote into the executable, in hexadecimal; if it wrote none, a
/// number made of the file's bytes.
std::string build_id();

}  // namespace terrane
