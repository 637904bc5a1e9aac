// SPDX-License-Identifier: Apache-2.0
// value_rules.hpp: warnings for a text without errors: variables that are read without a value, and
// a MAIN that never ends.
//
// Method      Clang analyses the flow of one function, and takes its fibers for branches. Its
//             warnings are right for a variable that only one fiber uses. If fibers share the
//             variable, the order of their accesses is unknown: the compiler then warns only if
//             nothing writes it.
#pragma once

#include <vector>

#include "compiler/read/shape.hpp"

namespace terrane::compiler {

/// shapes: of all threaded functions.
void check_values(const parsed&, const std::vector<function_shape>& shapes);

}  // namespace terrane::compiler
