// SPDX-License-Identifier: Apache-2.0
// frontend.hpp: Clang, set up for one text: preprocessed, said in C, parsed.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "compiler/compile.hpp"
#include "compiler/read/words.hpp"

namespace terrane::compiler {

class message_collector;

/// A directive of one of the user's files, at its place among the tokens.
struct directive {
  std::size_t before_token;  // index of the token that follows
  clang::FileID file;
  unsigned offset;             // of its line in the file
  std::string text;            // what stays of it; empty: nothing
  bool system_header = false;  // the #include of one
};

/// The parsed text, while Clang holds it.
struct parsed {
  const source& from;
  clang::Sema& sema;
  const std::vector<clang::Token>& tokens;  // as preprocessed, without tok::eof
  const std::vector<directive>& directives;
  const said_words& words;
  message_collector& messages;

  clang::ASTContext& tree() const { return sema.Context; }
  clang::SourceManager& places() const { return sema.getSourceManager(); }
  clang::DiagnosticsEngine& faults() const { return sema.getDiagnostics(); }
  /// The place is in one of the user's files.
  bool of_user(clang::SourceLocation) const;
};

/// Where the parser is: what can be said when it breaks down.
struct reading_point {
  const clang::SourceManager* places = nullptr;
  clang::SourceLocation where;
  bool in_parser = false;  // Clang's own work, not ours
};

/// Reads the text; calls `then` with the tree, errors or not, if there is one; fills in what the
/// messages are. point: kept up to date meanwhile.
void parse(const source&, const read_options&, compilation& result, reading_point& point,
           const std::function<void(const parsed&)>& then);

}  // namespace terrane::compiler
