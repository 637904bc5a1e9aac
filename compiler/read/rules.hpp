// SPDX-License-Identifier: Apache-2.0
// rules.hpp: checks what Threaded-C forbids and C allows.
#pragma once

#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// Reports every breach of the rules (faults.hpp) in the user's files.
void check_rules(const parsed&);

}  // namespace terrane::compiler
