// SPDX-License-Identifier: Apache-2.0
// operation_rules.hpp: checks the arguments of operations.
#pragma once

#include "compiler/read/frontend.hpp"
#include "compiler/read/operations.hpp"

namespace clang {
class CallExpr;
}

namespace terrane::compiler {

void check_operation(const parsed&, const operation&, const clang::CallExpr&);

}  // namespace terrane::compiler
