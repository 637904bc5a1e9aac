// SPDX-License-Identifier: Apache-2.0
// text.hpp: prints the user's pieces with their edits, each under its own line.
#pragma once

#include <string>
#include <string_view>

#include "compiler/model.hpp"

namespace terrane::compiler {

class text_writer {
 public:
  explicit text_writer(const unit& from) : from_(from) {}

  /// The next tokens, which follow those written before: directives on the way are kept.
  void write(token_range);
  /// Only the directives before that token.
  void pass(token_index);
  /// Tokens out of their order: without directives, and with macros expanded, as those may not be
  /// defined here.
  void write_apart(token_range);
  /// The compiler's own text. It stands under no line of the user.
  void add(std::string_view);
  /// The same within a line of the user's text.
  void add_inline(std::string_view);
  /// The compiler's own text follows; it belongs to that place.
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
  std::size_t next_ = 0;     // the first piece not yet passed
  bool contiguous_ = false;  // the piece before next_ was the last thing written
  place at_{~0u, 0};         // what the C compiler thinks
};

/// A C string literal.
std::string quoted(std::string_view);

}  // namespace terrane::compiler
