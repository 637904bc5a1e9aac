// SPDX-License-Identifier: Apache-2.0
// function.hpp: a threaded function of the tree as one of the model.
#pragma once

#include "compiler/read/editor.hpp"

namespace terrane::compiler {

/// The name, parameters and linkage.
threaded_declaration declaration_of(const parsed&, const clang::FunctionDecl&);
/// The whole; its edits are made on the way. apart: the ranges it is written in are added.
threaded_function build_function(const parsed&, const token_map&, editor&, unit&,
                                 const function_shape&, std::vector<token_range>& apart);

}  // namespace terrane::compiler
