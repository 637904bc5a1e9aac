// SPDX-License-Identifier: Apache-2.0
// rules.hpp: what the language forbids and C does not.
#pragma once

#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// Reports every breach of the rules (faults.hpp) in the user's files.
void check_rules(const parsed&);

}  // namespace terrane::compiler
