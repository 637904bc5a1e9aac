// SPDX-License-Identifier: Apache-2.0
// signature_rules.hpp: what may travel to an activation, and what MAIN looks like.
#pragma once

#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// The parameters of a threaded function.
void check_signature(const parsed&, const clang::FunctionDecl&);
/// An ordinary function does not bear the name of the root.
void check_ordinary(const parsed&, const clang::FunctionDecl&);
/// A local pointer is passed as LOCAL_ONLY(pointer).
void check_passed_pointers(const parsed&, const clang::FunctionDecl&, const clang::CallExpr&);
/// What is passed to a TFUNC, whose parameters are not known: `mark` is TOKEN or INVOKE.
void check_passed_values(const parsed&, const std::string& mark, const clang::CallExpr&);

}  // namespace terrane::compiler
