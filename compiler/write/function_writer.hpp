// SPDX-License-Identifier: Apache-2.0
// function_writer.hpp: a threaded function in C.
#pragma once

#include "compiler/write/text.hpp"

namespace terrane::compiler {

/// What whoever starts it needs: its arguments, token and invoke.
void write_declaration(text_writer&, const threaded_declaration&);
void write_definition(text_writer&, const unit&, const threaded_function&);

}  // namespace terrane::compiler
