// SPDX-License-Identifier: Apache-2.0
// function.hpp: turns a threaded function of Clang's tree into one of the model.
#pragma once

#include "compiler/read/editor.hpp"

namespace terrane::compiler {

/// The name, parameters and linkage of a function.
threaded_declaration declaration_of(const parsed&, const clang::FunctionDecl&);
/// The whole function. Also makes its edits, and adds the ranges that are written apart to `apart`.
threaded_function build_function(const parsed&, const token_map&, editor&, unit&,
                                 const function_shape&, std::vector<token_range>& apart);

}  // namespace terrane::compiler
