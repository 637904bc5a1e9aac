// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/words.hpp"

#include <algorithm>
#include <string_view>

#include "clang/Lex/Preprocessor.h"
#include "compiler/read/faults.hpp"
#include "compiler/read/operations.hpp"
#include "compiler/read/place_words.hpp"

namespace terrane::compiler {

namespace {

/// One pass over the tokens. The same functions handle words inside other words.
class speaker final : public place_words {
 public:
  speaker(clang::Preprocessor& preprocessor, const std::vector<Token>& tokens, const Token& end)
      : place_words(preprocessor, tokens, end) {}

  said run() {
    while (at_ < tokens_.size()) say_one();
    emit(end_);
    said_.tokens = std::move(out_);
    return std::move(said_);
  }

 private:
  // --- the words ---

  void say_one() override {
    const Token& token = peek();
    line_begins_ |= token.isAtStartOfLine();
    if (token.is(tok::star)) {
      if (const std::size_t word = handle_word_behind_star()) return say_handle(word);
    } else if (token.is(tok::kw_return) && inside_threaded()) {
      said_.words.return_words.insert(token.getLocation().getRawEncoding());
    } else if (token.is(tok::identifier)) {
      if (say_word()) return;
    }
    emit(token);
    ++at_;
  }

  bool inside_threaded() const { return at_ < threaded_end_; }

  /// Returns true if the token was one of the words; its C has then been emitted.
  bool say_word() {
    const llvm::StringRef word = peek().getIdentifierInfo()->getName();
    if (word.empty() || word[0] < 'A' || word[0] > 'Z' || !of_user(peek())) return false;
    if (stands_without_call(word)) return true;
    if (word == "THREADED") return say_threaded(), true;
    if (word == "FIBER" || word == "EXCLUSIVE") return say_fiber(), true;
    if (inside_threaded() && is_misspelt_fiber(at_)) {
      fault_at(peek().getLocation(), "'" + word.str() + "' is no word of the language",
               "write 'FIBER name <* count *> { ... }'");
      return say_fiber(), true;
    }
    if (!inside_threaded() && is_misspelt(word, "THREADED") && peek(1).is(tok::identifier) &&
        peek(2).is(tok::l_paren)) {
      fault_at(peek().getLocation(), "'" + word.str() + "' is no word of the language",
               "write 'THREADED " + peek(1).getIdentifierInfo()->getName().str() + "(...)'");
      return say_threaded(), true;
    }
    if (word == "TERMINATE" || word == "END_FIBER") return say_ending(), true;
    if (word == "TOKEN" || word == "INVOKE") return say_start(word == "INVOKE"), true;
    if (word == "TO_GLOBAL") return say_typed_call(target::handle), true;
    if (word == "TO_LOCAL") return say_typed_call(target::pointer), true;
    if (word == "LOCAL_ONLY") return say_typed_call(target::same), true;
    if (word == "TO_APTR") return say_argument_place(), true;
    if (word == "GLOBAL_NULL") return say_null(), true;
    if (word == "GLOBAL_VAR") return emit_handle_mark(peek().getLocation()), ++at_, true;
    if (word == "GLOBAL") {
      fault_at(peek().getLocation(), "GLOBAL stands behind the '*' of a pointer",
               "write 'T *GLOBAL name'");
      return ++at_, true;
    }
    if (word == "PRIORITY") {
      fault_at(peek().getLocation(), "PRIORITY stands between a FIBER's head and its '{'",
               "write 'FIBER name <* count *> PRIORITY 2 { ... }'");
      return ++at_, true;
    }
    return false;
  }

  static bool is_misspelt(llvm::StringRef word, llvm::StringRef meant) {
    return word != meant && word.edit_distance(meant, true, 2) <= 2 &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  }
  /// True for FIBRE N <* ... and FIBRE N {, which have no meaning in C.
  bool is_misspelt_fiber(std::size_t at) const {
    const auto token = [&](std::size_t ahead) -> const Token& {
      return at + ahead < tokens_.size() ? tokens_[at + ahead] : end_;
    };
    return token(0).is(tok::identifier) && token(1).is(tok::identifier) &&
           is_misspelt(token(0).getIdentifierInfo()->getName(), "FIBER") &&
           (token(2).is(tok::l_brace) || (token(2).is(tok::less) && token(3).is(tok::star)));
  }

  /// True, after a fault is reported, for a reserved operation that is not called. Operations that
  /// are not reserved may also be names of a fiber or variable.
  bool stands_without_call(llvm::StringRef word) {
    if (peek(1).is(tok::l_paren) || !word.starts_with("TO_") || !find_operation(word.str()))
      return false;
    report(preprocessor_.getDiagnostics(), peek().getLocation(), fault::operation_as_value) << word;
    emit_word("terrane_nothing", peek().getLocation());
    ++at_;
    return true;
  }

  // THREADED f ( ... ) { ... }
  void say_threaded() {
    const SourceLocation where = peek().getLocation();
    ++at_;
    emit_word("void", where);
    if (!peek().is(tok::identifier) || !peek(1).is(tok::l_paren)) {
      fault_at(where, "THREADED stands before the name and parameters of a function",
               "write 'THREADED f(int n, SPTR done) { ... }'");
      return;
    }
    if (inside_threaded())
      fault_at(where, "THREADED stands inside another threaded function",
               "move it out: functions do not nest");
    said_.words.threaded.insert(peek().getLocation().getRawEncoding());
    const std::size_t body = behind_match(at_ + 1);
    if (peek(2).is(tok::r_paren)) {  // `()` means no parameters
      say_until(at_ + 2);
      emit_word("void", peek().getLocation());
    }
    say_until(body);
    if (!peek().is(tok::l_brace)) return;
    const std::size_t outer_end = threaded_end_;
    threaded_end_ = behind_match(at_);
    emit(peek());
    ++at_;
    declare_fibers(at_, threaded_end_);
    say_until(threaded_end_);
    threaded_end_ = outer_end;
  }

  /// Declares a slot for each fiber that follows, so that its name can be used before it.
  void declare_fibers(std::size_t from, std::size_t end) {
    std::unordered_set<const clang::IdentifierInfo*> names;
    for (std::size_t i = from; i + 1 < end; ++i) {
      if (!is_word(tokens_[i], "FIBER") && !is_misspelt_fiber(i)) continue;
      if (!tokens_[i + 1].is(tok::identifier)) continue;
      const Token& name = tokens_[i + 1];
      if (!names.insert(name.getIdentifierInfo()).second) {
        report(preprocessor_.getDiagnostics(), name.getLocation(), fault::declared_twice)
            << name.getIdentifierInfo()->getName();
        continue;
      }
      if (i + 2 < end && tokens_[i + 2].is(tok::l_paren)) {
        declare_arguments(i + 2, name);
        continue;
      }
      emit_word("SLOT", name.getLocation());
      emit(name);
      emit(tok::semi, name.getLocation());
    }
  }

  /// Declares a fiber with arguments: struct terrane_arguments { T a; U b; } N;
  void declare_arguments(std::size_t open, const Token& name) {
    const SourceLocation where = name.getLocation();
    emit_word("struct", where);
    emit(tok::l_brace, where);
    emit_word("SLOT", where);
    emit_word("terrane_slot", where);
    emit(tok::semi, where);
    const std::size_t resume = at_, close = behind_match(open) - 1;
    at_ = open + 1;
    if (close == at_ + 1 && peek().is(tok::kw_void)) at_ = close;
    while (at_ < close) {
      std::size_t next = at_;
      for (int depth = 0; next < close; ++next) {
        if (tokens_[next].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) ++depth;
        if (tokens_[next].isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) --depth;
        if (depth == 0 && tokens_[next].is(tok::comma)) break;
      }
      say_until(next);
      emit(tok::semi, where);
      at_ = next + 1;
    }
    at_ = resume;
    emit(tok::r_brace, where);
    emit(name);
    emit(tok::semi, where);
  }

  // [EXCLUSIVE] FIBER N [( ... )] [<* e [, r] *>] [PRIORITY p] {
  void say_fiber() {
    const SourceLocation where = peek().getLocation();
    if (peek_word("EXCLUSIVE")) {
      ++at_;
      if (!peek_word("FIBER")) {
        fault_at(where, "EXCLUSIVE stands before FIBER", "write 'EXCLUSIVE FIBER name ...'");
        return;
      }
    }
    ++at_;
    if (!peek().is(tok::identifier)) {
      fault_at(where, "FIBER stands before the name of a fiber",
               "write 'FIBER name <* count *> { ... }'");
      return skip_to_body();
    }
    if (!inside_threaded()) {
      report(preprocessor_.getDiagnostics(), where, fault::outside_threaded)
          << "FIBER"
          << "fibers are parts of a function: THREADED f() { ... FIBER name <* 1 *> {} }";
      return skip_to_body();
    }
    const Token name = peek();
    said_.words.fibers.insert(name.getLocation().getRawEncoding());
    ++at_;
    emit_word("if", where);
    emit(tok::l_paren, where);
    say_mark("terrane_fiber", name);
    std::size_t parameters = 0;
    if (peek().is(tok::l_paren)) {
      parameters = at_;
      at_ = behind_match(at_);
    }
    say_count();
    emit(tok::r_paren, name.getLocation());
    if (peek_word("PRIORITY")) say_priority();
    emit(tok::r_paren, name.getLocation());
    if (!peek().is(tok::l_brace)) {
      fault_at(peek().getLocation(), "a FIBER's head ends here without a '{'",
               "its body is a block: FIBER name <* count *> { ... }");
      emit(tok::l_brace, where);
      emit(tok::r_brace, where);
      return skip_to_body();
    }
    say_body(parameters);
  }

  /// Skips the rest of a head that is not understood.
  void skip_to_body() {
    while (at_ < tokens_.size() && !peek().isOneOf(tok::l_brace, tok::r_brace, tok::semi)) ++at_;
  }

  void say_mark(std::string_view mark, const Token& name) {
    emit_word(mark, name.getLocation());
    emit(tok::l_paren, name.getLocation());
    emit(tok::amp, name.getLocation());
    emit(name);
  }

  /// Emits the body. The parameters of a fiber with arguments become its first declarations.
  void say_body(std::size_t parameters) {
    const std::size_t end = behind_match(at_);
    emit(peek());
    ++at_;
    if (parameters != 0) {
      const std::size_t body = at_, close = behind_match(parameters) - 1;
      at_ = parameters + 1;
      if (close == at_ + 1 && peek().is(tok::kw_void)) at_ = close;
      while (at_ < close) {
        if (peek().is(tok::comma)) {
          emit(tok::semi, peek().getLocation());
          ++at_;
        } else {
          say_one();
        }
      }
      if (close != parameters + 1) emit(tok::semi, tokens_[close].getLocation());
      at_ = body;
    }
    say_until(end);
    if (peek().is(tok::kw_else))
      fault_at(peek().getLocation(), "'else' follows a FIBER", "it has no 'if'");
  }

  // <* e [, r] *>
  void say_count() {
    if (!peek().is(tok::less) || !peek(1).is(tok::star)) return;
    const SourceLocation open = peek().getLocation();
    at_ += 2;
    int depth = 0;
    bool opened = false;
    emit(tok::comma, open);
    for (; at_ < tokens_.size(); say_one()) {
      const Token& token = peek();
      if (depth == 0 && token.is(tok::star) && peek(1).is(tok::greater)) {
        if (!opened) fault_at(token.getLocation(), "a FIBER's count is missing", "write '<* 1 *>'");
        at_ += 2;
        return;
      }
      if (token.isOneOf(tok::l_brace, tok::semi)) break;
      if (token.isOneOf(tok::l_paren, tok::l_square)) ++depth;
      if (token.isOneOf(tok::r_paren, tok::r_square)) --depth;
      opened = true;
    }
    fault_at(open, "this '<*' has no '*>'", "a FIBER's count stands as <* count *>");
  }

  void say_priority() {
    const SourceLocation where = peek().getLocation();
    ++at_;
    emit(tok::comma, where);
    emit_word("terrane_priority", where);
    emit(tok::l_paren, where);
    while (at_ < tokens_.size() && !peek().isOneOf(tok::l_brace, tok::semi)) say_one();
    emit(tok::r_paren, where);
  }

  void say_ending() {
    const Token token = peek();
    ++at_;
    emit(token);
    if (peek().is(tok::l_paren)) return;
    emit(tok::l_paren, token.getLocation());
    emit(tok::r_paren, token.getLocation());
  }

  /// The index of the comma or bracket that ends the argument at `from`.
  std::size_t argument_end(std::size_t from, std::size_t close) const {
    int depth = 0;
    for (std::size_t i = from; i < close; ++i) {
      if (tokens_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) ++depth;
      if (tokens_[i].isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) --depth;
      if (depth == 0 && tokens_[i].is(tok::comma)) return i;
    }
    return close;
  }

  // TOKEN ( f , a ... )   INVOKE ( node , f , a ... )
  void say_start(bool on_a_node) {
    const Token word = peek();
    const SourceLocation where = word.getLocation();
    if (!peek(1).is(tok::l_paren)) {
      fault_at(where,
               on_a_node ? "INVOKE names a node and a threaded function"
                         : "TOKEN names a threaded function",
               on_a_node ? "write INVOKE(node, f, arguments)" : "write TOKEN(f, arguments)");
      ++at_;
      emit_word("terrane_nothing", where);
      return;
    }
    const std::size_t close = behind_match(at_ + 1) - 1;
    at_ += 2;
    emit(tok::l_paren, where);
    emit(word);
    emit(tok::l_paren, where);
    if (on_a_node) {
      const std::size_t node_end = argument_end(at_, close);
      if (node_end == at_)
        fault_at(where, "INVOKE names no node", "write INVOKE(node, f, arguments)");
      say_until(node_end);
      if (node_end != close) ++at_;
    }
    emit(tok::r_paren, where);
    const std::size_t callee_end = argument_end(at_, close);
    if (at_ >= close || callee_end == at_) {
      fault_at(where,
               on_a_node ? "INVOKE names no threaded function" : "TOKEN names no threaded function",
               on_a_node ? "write INVOKE(node, f, arguments)" : "write TOKEN(f, arguments)");
      at_ = std::max(at_, close);
    } else {
      emit(tok::comma, where);
      say_until(callee_end);
      emit(tok::l_paren, where);
      if (callee_end != close) ++at_;
      if (callee_end + 1 == close)
        fault_at(tokens_[callee_end].getLocation(), "an argument is missing behind this comma",
                 "write it, or leave the comma out");
      say_until(close);
      emit(tok::r_paren, tokens_[std::min(close, tokens_.size() - 1)].getLocation());
    }
    if (at_ < tokens_.size()) {
      emit(peek());
      ++at_;
    }
  }

  std::size_t threaded_end_ = 0;
  said said_;
};

}  // namespace

said say_in_c(clang::Preprocessor& preprocessor, const std::vector<clang::Token>& tokens,
              const clang::Token& end) {
  return speaker(preprocessor, tokens, end).run();
}

}  // namespace terrane::compiler
