// SPDX-License-Identifier: Apache-2.0
// shape_rules.hpp: checks a threaded function's fibers, counts and variables.
#pragma once

#include "compiler/read/shape.hpp"

namespace terrane::compiler {

void check_shape(const parsed&, const function_shape&);

}  // namespace terrane::compiler
