// SPDX-License-Identifier: Apache-2.0
// name_rules.hpp: checks for names that belong to the runtime or the compiler, and for functions
// declared both as threaded and as ordinary ones.
#pragma once

#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// declared: at file scope, in one of the user's files.
void check_names(const parsed&, clang::Decl& declared);

}  // namespace terrane::compiler
