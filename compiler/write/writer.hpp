// SPDX-License-Identifier: Apache-2.0
// writer.hpp: writes a unit of the model as C that uses terrane/threaded_c.h.
//
// A threaded function f becomes
//   struct f__arguments, struct f__frame    what is sent, and the frame
//   f__token(...), f__invoke(node, ...)     TOKEN and INVOKE of it
//   f__init(frame, ...), f__N(frame)        the initial fiber, and each fiber N
//   f__activate(here, ...)                  makes the frame, sets the slots, runs the initial fiber
//   f__threaded                             its description, to which a TFUNC points
// #line gives all text of the user the line that it has in its own file.
#pragma once

#include <string>

#include "compiler/model.hpp"

namespace terrane::compiler {

std::string write(const unit&);

}  // namespace terrane::compiler
