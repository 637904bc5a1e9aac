// SPDX-License-Identifier: Apache-2.0
// place_words.hpp: turns the words about places into C: GLOBAL, TO_GLOBAL, TO_LOCAL, LOCAL_ONLY,
// TO_APTR and GLOBAL_NULL.
#pragma once

#include "compiler/read/token_stream.hpp"

namespace terrane::compiler {

class place_words : public token_stream {
 public:
  using token_stream::token_stream;

 protected:
  enum class target { handle, pointer, same };

  // W ( x )  ->  ( ( __typeof__ ( * ( x ) ) ( mark * ) ) W ( x ) )
  void say_typed_call(target to) {
    const Token word = peek();
    const SourceLocation where = word.getLocation();
    if (!peek(1).is(tok::l_paren)) {
      emit(word);
      ++at_;
      return;
    }
    const std::size_t open = at_ + 1, end = behind_match(open);
    emit(tok::l_paren, where);
    emit(tok::l_paren, where);
    emit_word(to == target::pointer ? "__typeof_unqual__" : "__typeof__", where);
    emit(tok::l_paren, where);
    if (to == target::same) emit(tok::amp, where);  // of an array: the pointer to its first element
    emit(tok::star, where);
    at_ = open;
    say_until(end);
    emit(tok::r_paren, where);
    if (to == target::handle) {
      emit(tok::l_paren, where);
      emit_handle_mark(where);
      emit(tok::star, where);
      emit(tok::r_paren, where);
    } else if (to == target::pointer) {
      emit(tok::star, where);
    }
    emit(tok::r_paren, where);
    emit(word);
    at_ = open;
    say_until(end);
    emit(tok::r_paren, behind(end));
  }

  // TO_APTR ( x )  ->  ( ( __typeof__ ( x ) ( mark * ) ) TO_APTR ( & ( x ) ) )
  void say_argument_place() {
    const Token word = peek();
    const SourceLocation where = word.getLocation();
    const std::size_t open = at_ + 1, end = behind_match(open);
    if (!peek(1).is(tok::l_paren)) {
      fault_at(where, "TO_APTR names an argument of a fiber", "write TO_APTR(fiber.argument)");
      ++at_;
      return emit_word("terrane_nothing", where);
    }
    emit(tok::l_paren, where);
    emit(tok::l_paren, where);
    emit_word("__typeof__", where);
    at_ = open;
    say_until(end);
    emit(tok::l_paren, where);
    emit_mark("opencl_constant", where);
    emit(tok::star, where);
    emit(tok::r_paren, where);
    emit(tok::r_paren, where);
    emit(word);
    emit(tok::l_paren, where);
    emit(tok::amp, where);
    at_ = open;
    say_until(end);
    emit(tok::r_paren, behind(end));
    emit(tok::r_paren, behind(end));
  }

  void say_null() {
    const SourceLocation where = peek().getLocation();
    ++at_;
    emit(tok::l_paren, where);
    emit(tok::l_paren, where);
    emit_word("void", where);
    emit(tok::l_paren, where);
    emit_handle_mark(where);
    emit(tok::star, where);
    emit(tok::r_paren, where);
    emit(tok::r_paren, where);
    emit_word("terrane_zero", where);
    emit(tok::r_paren, where);
  }

  // In `* [const ...] GLOBAL`: the distance of GLOBAL from the star; 0 if there is none.
  std::size_t handle_word_behind_star() const {
    std::size_t ahead = 1;
    while (peek(ahead).isOneOf(tok::kw_const, tok::kw_volatile, tok::kw_restrict)) ++ahead;
    return peek_word("GLOBAL", ahead) ? ahead : 0;
  }

  /// `* GLOBAL declarator` -> `( mark * declarator )`: in brackets, the mark belongs to the
  /// declarator.
  void say_handle(std::size_t word) {
    const SourceLocation where = peek().getLocation();
    emit(tok::l_paren, where);
    emit_handle_mark(where);
    for (std::size_t i = 0; i < word; ++i) emit(peek(i));
    at_ += word + 1;
    int depth = 0;
    for (; at_ < tokens_.size(); say_one()) {
      const Token& token = peek();
      if (token.isOneOf(tok::l_paren, tok::l_square)) ++depth;
      if (depth == 0 && (token.isOneOf(tok::comma, tok::semi, tok::r_paren, tok::equal, tok::colon,
                                       tok::l_brace, tok::r_brace, tok::r_square) ||
                         token.isOneOf(tok::kw___attribute, tok::kw_asm)))
        break;
      if (token.isOneOf(tok::r_paren, tok::r_square)) --depth;
    }
    emit(tok::r_paren, behind(at_));
  }
};

}  // namespace terrane::compiler
