// SPDX-License-Identifier: Apache-2.0
// wording.hpp: what Clang says of the C that the words became, said of the words.
#pragma once

#include <string>

#include "clang/AST/Type.h"
#include "clang/Basic/Diagnostic.h"

namespace terrane::compiler {

/// Clang's spelling of types in the language's: `int (__global *)` -> `int *GLOBAL`.
std::string spell_handles(std::string text);
/// A type as the language says it.
std::string spell_type(clang::QualType);
/// Clang's message, or ours instead of it.
std::string in_our_words(const clang::Diagnostic&);

}  // namespace terrane::compiler
