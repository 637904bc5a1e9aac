// SPDX-License-Identifier: Apache-2.0
// pieces.hpp: the user's text as the writer takes it: tokens, and the stretches of files they are.
//
// Invariants  What a system header, the command line or the prelude says is no piece. A directive
//             that still means something (#define, #include of a system header, #pragma) stands
//             before the piece that follows it; conditions are settled.
#pragma once

#include <unordered_map>

#include "compiler/model.hpp"
#include "compiler/read/frontend.hpp"

namespace terrane::compiler {

/// From Clang's places to the unit's tokens.
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

/// Fills in files, tokens, pieces and what follows the last one.
void fill_pieces(const parsed&, unit&);
/// The place of a token as #line says it; its file is added to the unit's.
place place_of(const parsed&, unit&, clang::SourceLocation);
/// Marks as expanded the macro uses that cannot stand as written, given the edits and the ranges
/// that are written apart.
void settle_pieces(unit&, const std::vector<token_range>& apart);

}  // namespace terrane::compiler
