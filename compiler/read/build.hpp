// SPDX-License-Identifier: Apache-2.0
// build.hpp: makes the model of a parsed text.
#pragma once

#include "compiler/model.hpp"
#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// The text must have no errors.
unit build(const parsed&);

}  // namespace terrane::compiler
