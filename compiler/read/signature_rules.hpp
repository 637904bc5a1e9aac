// SPDX-License-Identifier: Apache-2.0
// signature_rules.hpp: checks what is sent to an activation, and the parameters of MAIN.
#pragma once

#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// Checks the parameters of a threaded function.
void check_signature(const parsed&, const clang::FunctionDecl&);
/// Refuses an ordinary function with the name of the root.
void check_ordinary(const parsed&, const clang::FunctionDecl&);
/// Refuses a local pointer that is not passed as LOCAL_ONLY(pointer).
void check_passed_pointers(const parsed&, const clang::FunctionDecl&, const clang::CallExpr&);
/// Checks what is passed to a TFUNC, whose parameters are not known. mark: TOKEN or INVOKE.
void check_passed_values(const parsed&, const std::string& mark, const clang::CallExpr&);

}  // namespace terrane::compiler
