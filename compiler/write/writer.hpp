// SPDX-License-Identifier: Apache-2.0
// writer.hpp: a unit of the model as C for terrane/threaded_c.h.
//
// A threaded function f becomes
//   struct f__arguments, struct f__frame    what travels, what stays
//   f__token(...), f__invoke(node, ...)     TOKEN and INVOKE of it
//   f__init(frame, ...), f__N(frame)        the initial fiber, and each fiber N
//   f__activate(here, ...)                  makes the frame, sets the slots, runs the initial fiber
//   f__threaded                             its description: what a TFUNC points at
// All that is the user's stands under the line it has in its own file (#line).
#pragma once

#include <string>

#include "compiler/model.hpp"

namespace terrane::compiler {

std::string write(const unit&);

}  // namespace terrane::compiler
