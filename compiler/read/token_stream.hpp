// SPDX-License-Identifier: Apache-2.0
// token_stream.hpp: reads the user's tokens and emits the tokens of the C that Clang parses.
#pragma once

#include <string_view>
#include <vector>

#include "clang/Lex/Preprocessor.h"
#include "compiler/read/faults.hpp"

namespace terrane::compiler {

using clang::SourceLocation;
using clang::Token;
namespace tok = clang::tok;

class token_stream {
 public:
  token_stream(clang::Preprocessor& preprocessor, const std::vector<Token>& tokens,
               const Token& end)
      : preprocessor_(preprocessor), tokens_(tokens), end_(end) {}
  virtual ~token_stream() = default;
  token_stream(const token_stream&) = delete;
  token_stream& operator=(const token_stream&) = delete;

 protected:
  /// Emits the next token or word as C, and moves behind it.
  virtual void say_one() = 0;

  // --- reading ---

  const Token& peek(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead] : end_;
  }
  static bool is_word(const Token& token, llvm::StringRef word) {
    const auto* name = token.is(tok::identifier) ? token.getIdentifierInfo() : nullptr;
    return name && name->getName() == word;
  }
  bool peek_word(llvm::StringRef word, std::size_t ahead = 0) const {
    return is_word(peek(ahead), word);
  }
  /// The index behind the bracket that matches the opening one at `open`.
  std::size_t behind_match(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (tokens_[i].isOneOf(tok::l_paren, tok::l_brace, tok::l_square)) ++depth;
      if (tokens_[i].isOneOf(tok::r_paren, tok::r_brace, tok::r_square) && --depth == 0)
        return i + 1;
    }
    return tokens_.size();
  }

  /// The place of the token before that index: where emitted text ends, for messages and ranges.
  SourceLocation behind(std::size_t index) const { return tokens_[index - 1].getLocation(); }

  // --- emitting ---

  void emit(Token token) {
    if (line_begins_) token.setFlag(Token::StartOfLine);  // Clang's check of indentation needs it
    line_begins_ = false;
    out_.push_back(token);
  }
  void emit(tok::TokenKind kind, SourceLocation where) {
    Token made;
    made.startToken();
    made.setKind(kind);
    made.setLocation(where);
    made.setLength(1);
    emit(made);
  }
  void emit_word(std::string_view word, SourceLocation where) {
    auto* name = preprocessor_.getIdentifierInfo(llvm::StringRef(word.data(), word.size()));
    Token made;
    made.startToken();
    made.setIdentifierInfo(name);
    made.setKind(name->getTokenID());
    made.setLocation(where);
    made.setLength(static_cast<unsigned>(word.size()));
    emit(made);
  }
  void emit_handle_mark(SourceLocation where) { emit_mark("opencl_global", where); }
  void emit_mark(std::string_view mark, SourceLocation where) {
    emit_word("__attribute__", where);
    emit(tok::l_paren, where);
    emit(tok::l_paren, where);
    emit_word(mark, where);
    emit(tok::r_paren, where);
    emit(tok::r_paren, where);
  }
  void say_until(std::size_t end) {
    while (at_ < end && at_ < tokens_.size()) say_one();
  }
  void fault_at(SourceLocation where, std::string_view what, std::string_view cure) {
    report(preprocessor_.getDiagnostics(), where, fault::misplaced_word)
        << llvm::StringRef(what.data(), what.size()) << llvm::StringRef(cure.data(), cure.size());
  }

  /// True if the token is in the user's text: system headers may use the words as names.
  bool of_user(const Token& token) const {
    const clang::SourceManager& places = preprocessor_.getSourceManager();
    const SourceLocation where = places.getExpansionLoc(token.getLocation());
    return !places.isInSystemHeader(where) && !places.isWrittenInBuiltinFile(where) &&
           !places.isWrittenInCommandLineFile(where);
  }

  clang::Preprocessor& preprocessor_;
  const std::vector<Token>& tokens_;
  const Token end_;
  std::vector<Token> out_;
  std::size_t at_ = 0;
  bool line_begins_ = false;
};

}  // namespace terrane::compiler
