// SPDX-License-Identifier: Apache-2.0
// operation_rules.hpp: whether an operation is given what it takes.
#pragma once

#include "compiler/read/frontend.hpp"
#include "compiler/read/operations.hpp"

namespace clang {
class CallExpr;
}

namespace terrane::compiler {

void check_operation(const parsed&, const operation&, const clang::CallExpr&);

}  // namespace terrane::compiler
