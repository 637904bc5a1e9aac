// SPDX-License-Identifier: Apache-2.0
// link_messages.hpp: turns the linker's messages about threaded functions into messages about the
// user's text.
#pragma once

#include <string>
#include <vector>

#include "compiler/compile.hpp"

namespace terrane::compiler {

/// said: the linker's messages. declared: in the texts that were compiled for this link.
/// Returns sentences about threaded functions that no file or two files define, and then the
/// linker's other messages.
std::string in_our_words(const std::string& said, const std::vector<declared_function>& declared);

}  // namespace terrane::compiler
