// SPDX-License-Identifier: Apache-2.0
// value_rules.hpp: what is doubtful in a text without errors: variables that are read without a
// value, and a MAIN that never ends.
//
// Method      Clang follows the flow of one function, and takes its fibers for branches. What it
//             says of a variable that one fiber alone uses holds. Of one that fibers share no order
//             is known: it is told of only if nothing writes it.
#pragma once

#include <vector>

#include "compiler/read/shape.hpp"

namespace terrane::compiler {

/// shapes: of all threaded functions.
void check_values(const parsed&, const std::vector<function_shape>& shapes);

}  // namespace terrane::compiler
