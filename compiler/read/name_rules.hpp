// SPDX-License-Identifier: Apache-2.0
// name_rules.hpp: names that are the runtime's or the compiler's own, and functions declared as two
// things.
#pragma once

#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// declared: at file scope, in one of the user's files.
void check_names(const parsed&, clang::Decl& declared);

}  // namespace terrane::compiler
