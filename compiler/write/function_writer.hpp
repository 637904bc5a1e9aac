// SPDX-License-Identifier: Apache-2.0
// function_writer.hpp: writes a threaded function as C.
#pragma once

#include "compiler/write/text.hpp"

namespace terrane::compiler {

/// Writes what a caller needs to start the function: the structure of its arguments, and f__token
/// and f__invoke.
void write_declaration(text_writer&, const threaded_declaration&);
void write_definition(text_writer&, const unit&, const threaded_function&);

}  // namespace terrane::compiler
