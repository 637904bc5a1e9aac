// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/build.hpp"

#include "compiler/read/function.hpp"

namespace terrane::compiler {

using namespace clang;

unit build(const parsed& from) {
  unit to;
  to.threaded = from.from.threaded;
  place_of(from, to, from.places().getLocForStartOfFile(from.places().getMainFileID()));
  fill_pieces(from, to);
  const token_map tokens(from);
  editor edits(from, tokens, to);
  std::vector<token_range> apart;
  for (Decl* each : from.tree().getTranslationUnitDecl()->decls()) {
    if (each->isImplicit() || !from.of_user(each->getLocation())) continue;
    auto* function = dyn_cast<FunctionDecl>(each);
    const bool threaded =
        function && from.words.threaded.contains(function->getLocation().getRawEncoding());
    if (const auto* variable = dyn_cast<VarDecl>(each))
      if (const auto* record = variable->getType()->getAsRecordDecl())
        to.declares_work |= record->getName() == "terrane_operation";
    if (!threaded) {
      edits.TraverseDecl(each);
      continue;
    }
    replaced_part part;
    part.tokens = tokens.over(function->getSourceRange());
    if (part.tokens.empty()) continue;
    if (function->doesThisDeclarationHaveABody()) {
      const function_shape shape = shape_of(from, *function);
      part.declares = declaration_of(from, *function);
      part.defines = build_function(from, tokens, edits, to, shape, apart);
    } else {
      part.declares = declaration_of(from, *function);
      ++part.tokens.end;  // the ';'
    }
    apart.push_back(part.tokens);
    to.parts.push_back(std::move(part));
  }
  settle_pieces(to, apart);
  return to;
}

}  // namespace terrane::compiler
