// SPDX-License-Identifier: Apache-2.0
// link_messages.hpp: what the linker says of threaded functions, said of the user's text.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile.hpp"

namespace terrane::compiler {

/// said: by the linker. declared: in the texts that were compiled for this link.
/// Sentences about threaded functions that nothing defines, or that two files define, and what is
/// left of the linker's own words.
std::string in_our_words(const std::string& said, const std::vector<declared_function>& declared);

}  // namespace terrane::compiler
