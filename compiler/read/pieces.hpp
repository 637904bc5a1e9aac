// SPDX-License-Identifier: Apache-2.0
// pieces.hpp: the user's text as the writer takes it: tokens, and their stretches of the files.
//
// Invariants  Text of a system header, the command line or the prelude is not a piece. A directive
//             that still has an effect (#define, #include of a system header, #pragma) is kept
//             before the piece that follows it. Conditional directives have been evaluated.
#pragma once

#include <unordered_map>

#include "compiler/model.hpp"
#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// Finds the unit's token at one of Clang's places.
class token_map {
 public:
  explicit token_map(const parsed&);

  static constexpr token_index none = ~token_index{0};
  /// The token at that place, or none.
  token_index at(clang::SourceLocation) const;
  /// All tokens from the one at `begin` to the one at `end`.
  token_range over(clang::SourceRange) const;

 private:
  std::unordered_map<clang::SourceLocation::UIntTy, token_index> index_;
};

/// Fills in the unit's files, tokens, pieces and the directives after the last piece.
void fill_pieces(const parsed&, unit&);
/// The place of a token as #line gives it. Adds its file to the unit's files.
place place_of(const parsed&, unit&, clang::SourceLocation);
/// Marks the macro uses that must be written expanded, because of the edits and of the ranges that
/// are written apart.
void settle_pieces(unit&, const std::vector<token_range>& apart);

}  // namespace terrane::compiler
