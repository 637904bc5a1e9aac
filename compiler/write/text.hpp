// SPDX-License-Identifier: Apache-2.0
// text.hpp: prints the user's pieces with their edits, each under its own #line.
#pragma once

#include <string>
#include <string_view>

#include "compiler/model.hpp"

namespace terrane::compiler {

class text_writer {
 public:
  explicit text_writer(const unit& from) : from_(from) {}

  /// Writes the next tokens in order. Keeps the directives between them.
  void write(token_range);
  /// Skips to that token's end: writes only the directives before it.
  void pass(token_index);
  /// Writes tokens out of order: without directives, and with macros expanded, since the macros may
  /// not be defined here.
  void write_apart(token_range);
  /// Writes the compiler's own text, which belongs to no line of the user.
  void add(std::string_view);
  /// Writes the compiler's own text within a line of the user's text.
  void add_inline(std::string_view);
  /// Sets the place of the compiler's own text that follows.
  void stand_at(place);
  void stand_nowhere();

  std::string take() { return std::move(out_); }

 private:
  std::size_t piece_at(token_index) const;
  void skip_to(std::size_t piece);
  void write_piece(const piece&, token_range within);
  void write_use(const piece&);
  void write_tokens(token_range);
  void write_token(token_index);
  void put(std::string_view);
  void go_to(place);

  const unit& from_;
  std::string out_;
  std::size_t next_ = 0;     // the first piece that was not written or skipped yet
  bool contiguous_ = false;  // the piece before next_ was the last thing written
  place at_{~0u, 0};         // the place at which the C compiler assumes it is
};

/// A C string literal.
std::string quoted(std::string_view);

}  // namespace terrane::compiler
