// SPDX-License-Identifier: Apache-2.0
#include "compiler/read/pieces.hpp"

#include <algorithm>

namespace terrane::compiler {

using clang::SourceLocation;
using clang::Token;

token_map::token_map(const parsed& from) {
  index_.reserve(from.tokens.size());
  for (token_index i = 0; i < from.tokens.size(); ++i)
    index_.emplace(from.tokens[i].getLocation().getRawEncoding(), i);
}

token_index token_map::at(SourceLocation where) const {
  const auto found = index_.find(where.getRawEncoding());
  return found == index_.end() ? none : found->second;
}

token_range token_map::over(clang::SourceRange range) const {
  const token_index begin = at(range.getBegin()), last = at(range.getEnd());
  if (begin == none || last == none || last < begin) return {};
  return {begin, last + 1};
}

place place_of(const parsed& from, unit& to, SourceLocation where) {
  const auto shown = from.places().getPresumedLoc(from.places().getExpansionLoc(where));
  if (shown.isInvalid()) return {};
  const std::string name = shown.getFilename();
  auto found = std::find(to.files.begin(), to.files.end(), name);
  if (found == to.files.end()) found = to.files.insert(found, name);
  return {static_cast<std::uint32_t>(found - to.files.begin()), shown.getLine()};
}

namespace {

/// Builds the pieces in the order of the tokens.
class divider {
 public:
  divider(const parsed& from, unit& to) : from_(from), places_(from.places()), to_(to) {}

  void run() {
    const auto size = static_cast<token_index>(from_.tokens.size());
    for (token_index i = 0; i < size;) {
      const SourceLocation where = from_.tokens[i].getLocation();
      if (!from_.of_user(where)) {
        ++i;
        continue;
      }
      i = where.isMacroID() ? add_macro(i) : add_token(i);
    }
    to_.after = before(size, clang::FileID(), 0);
  }

 private:
  token_index add_token(token_index i) {
    const auto [file, offset] = places_.getDecomposedLoc(from_.tokens[i].getLocation());
    piece made;
    made.tokens = {i, i + 1};
    made.before = before(i, file, offset);
    made.where = place_of(from_, to_, from_.tokens[i].getLocation());
    reached(file, offset + from_.tokens[i].getLength());
    to_.pieces.push_back(std::move(made));
    return i + 1;
  }

  token_index add_macro(token_index i) {
    const auto use = places_.getExpansionRange(from_.tokens[i].getLocation());
    const auto [file, offset] = places_.getDecomposedLoc(use.getBegin());
    const SourceLocation end =
        clang::Lexer::getLocForEndOfToken(use.getEnd(), 0, places_, from_.tree().getLangOpts());
    const unsigned end_offset = places_.getFileOffset(end);
    piece made;
    made.before = before(i, file, offset);
    made.where = place_of(from_, to_, use.getBegin());
    made.written = places_.getBufferData(file).slice(offset, end_offset).str();
    token_index next = i;
    for (; next < from_.tokens.size(); ++next) {
      const SourceLocation where = from_.tokens[next].getLocation();
      if (!where.isMacroID() || places_.getExpansionLoc(where) != use.getBegin()) break;
      // Clang defines this macro; the C compiler does not.
      if (clang::Lexer::getImmediateMacroName(where, places_, from_.tree().getLangOpts())
              .starts_with("__clang"))
        made.expand = true;
      const auto [spelled_file, spelled] = places_.getDecomposedLoc(places_.getFileLoc(where));
      if (spelled_file == file && spelled > offset && spelled < end_offset)
        made.holes.push_back({spelled - offset, from_.tokens[next].getLength(), next});
    }
    made.tokens = {i, next};
    reached(file, end_offset);
    to_.pieces.push_back(std::move(made));
    return next;
  }

  void reached(clang::FileID file, unsigned offset) {
    file_ = file;
    offset_ = offset;
  }

  /// The text between the previous piece and the token at (file, offset).
  std::string before(token_index next, clang::FileID file, unsigned offset) {
    std::string kept;
    bool directives = false;
    for (; directive_ < from_.directives.size(); ++directive_) {
      const directive& each = from_.directives[directive_];
      if (each.before_token > next) break;
      directives = true;
      if (!each.text.empty()) kept += "\n" + each.text;
    }
    if (directives) return kept + "\n";
    if (file != file_ || file.isInvalid() || offset < offset_) return file == file_ ? " " : "\n";
    return places_.getBufferData(file).slice(offset_, offset).str();
  }

  const parsed& from_;
  const clang::SourceManager& places_;
  unit& to_;
  std::size_t directive_ = 0;
  clang::FileID file_;  // the end of the previous piece
  unsigned offset_ = 0;
};

}  // namespace

void fill_pieces(const parsed& from, unit& to) {
  to.tokens.reserve(from.tokens.size());
  for (const Token& each : from.tokens) {
    token made;
    made.hidden = each.isAnnotation();
    if (!made.hidden) made.text = from.sema.getPreprocessor().getSpelling(each);
    made.blank_before = each.hasLeadingSpace() || each.isAtStartOfLine();
    to.tokens.push_back(std::move(made));
  }
  divider(from, to).run();
}

void settle_pieces(unit& to, const std::vector<token_range>& apart) {
  std::vector<token_index> cuts;
  for (const token_range& each : apart) cuts.insert(cuts.end(), {each.begin, each.end});
  std::sort(cuts.begin(), cuts.end());
  const auto edit_of = [&](token_index i) -> const edit* {
    const auto found = to.edits.find(i);
    return found == to.edits.end() ? nullptr : &found->second;
  };
  for (piece& each : to.pieces) {
    if (each.written.empty()) continue;
    const auto cut = std::upper_bound(cuts.begin(), cuts.end(), each.tokens.begin);
    if (cut != cuts.end() && *cut < each.tokens.end) each.expand = true;
    const auto first = to.edits.lower_bound(each.tokens.begin);
    for (auto it = first; it != to.edits.end() && it->first < each.tokens.end; ++it) {
      const auto hole = std::find_if(each.holes.begin(), each.holes.end(),
                                     [&](const piece::hole& h) { return h.of == it->first; });
      if (hole == each.holes.end()) {
        each.expand = true;
        break;
      }
      for (const piece::hole& other : each.holes) {
        if (other.offset != hole->offset) continue;
        const edit* theirs = edit_of(other.of);
        if (!theirs || !(*theirs == it->second)) each.expand = true;
      }
    }
  }
}

}  // namespace terrane::compiler
