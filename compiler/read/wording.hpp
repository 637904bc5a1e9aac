// SPDX-License-Identifier: Apache-2.0
// wording.hpp: turns Clang's messages about the C it parses into messages about Threaded-C.
#pragma once

#include <string>

#include "clang/AST/Type.h"
#include "clang/Basic/Diagnostic.h"

namespace terrane::compiler {

/// Spells types as in Threaded-C instead of as Clang does: `int (__global *)` -> `int *GLOBAL`.
std::string spell_handles(std::string text);
/// A type, spelled as in Threaded-C.
std::string spell_type(clang::QualType);
/// Clang's message with types respelled, or our own message instead.
std::string in_our_words(const clang::Diagnostic&);

}  // namespace terrane::compiler
