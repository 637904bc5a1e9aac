// SPDX-License-Identifier: Apache-2.0
// frontend.hpp: runs Clang on one text: preprocesses it, turns its words into C, parses it.
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
  std::size_t before_token;  // index of the next token
  clang::FileID file;
  unsigned offset;             // of the directive's line in the file
  std::string text;            // what is kept of it; empty: nothing
  bool system_header = false;  // it includes a system header
};

/// The parsed text. Valid only while Clang holds it.
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
  /// True if the place is in one of the user's files.
  bool of_user(clang::SourceLocation) const;
};

/// How far the reading has come: the place to report if the parser crashes.
struct reading_point {
  const clang::SourceManager* places = nullptr;
  clang::SourceLocation where;
  bool in_parser = false;  // true in Clang's code, false in ours
};

/// Reads the text and adds the messages to `result`. If there is a tree, calls `then` with it, even
/// after errors. point: kept up to date meanwhile.
void parse(const source&, const read_options&, compilation& result, reading_point& point,
           const std::function<void(const parsed&)>& then);

}  // namespace terrane::compiler
