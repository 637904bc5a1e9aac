// SPDX-License-Identifier: Apache-2.0
#include "compiler/write/text.hpp"

#include <algorithm>

namespace terrane::compiler {

namespace {

constexpr std::uint32_t nowhere = ~0u;

bool of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The text between two pieces if it holds a directive, else "".
std::string directives_in(const std::string& before) {
  return before.starts_with("\n#") || before.find("\n#") != std::string::npos ||
                 before.find("\n #") != std::string::npos
             ? before
             : "";
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    all += c;
  }
  return all + '"';
}

void text_writer::put(std::string_view text) {
  out_ += text;
  at_.line += static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

void text_writer::add(std::string_view text) {
  contiguous_ = false;
  put(text);
}
void text_writer::add_inline(std::string_view text) { put(text); }

void text_writer::stand_at(place where) {
  contiguous_ = false;
  if (!out_.empty() && out_.back() != '\n') put("\n");
  go_to(where);
}

void text_writer::stand_nowhere() {
  contiguous_ = false;
  if (!out_.empty() && out_.back() != '\n') put("\n");
  if (at_.file != nowhere) put("#line 1 \"terrane-cc\"\n");
  at_ = {nowhere, 1};
}

void text_writer::go_to(place where) {
  if (at_.file == where.file && at_.line == where.line) return;
  if (!out_.empty() && out_.back() != '\n') out_ += '\n';
  out_ += "#line " + std::to_string(where.line) + " " + quoted(from_.files[where.file]) + "\n";
  at_ = where;
}

std::size_t text_writer::piece_at(token_index token) const {
  const auto found =
      std::partition_point(from_.pieces.begin(), from_.pieces.end(),
                           [&](const piece& each) { return each.tokens.end <= token; });
  return static_cast<std::size_t>(found - from_.pieces.begin());
}

/// Skips pieces that are not written, but writes the directives before them, which still count.
void text_writer::skip_to(std::size_t piece) {
  for (; next_ < piece; ++next_) {
    put(directives_in(from_.pieces[next_].before));
    contiguous_ = false;
  }
}

void text_writer::pass(token_index token) { skip_to(piece_at(token) + 1); }

void text_writer::write(token_range range) {
  for (std::size_t i = piece_at(range.begin);
       i < from_.pieces.size() && from_.pieces[i].tokens.begin < range.end; ++i) {
    const piece& each = from_.pieces[i];
    const bool in_order = i >= next_;
    if (in_order) {
      skip_to(i);
      const std::string directives = directives_in(each.before);
      put(contiguous_ ? each.before : directives.empty() ? " " : directives);
      next_ = i + 1;
    } else {
      put(" ");
    }
    go_to(each.where);
    write_piece(each, range);
    contiguous_ = in_order;
  }
}

void text_writer::write_apart(token_range range) {
  const std::size_t first = piece_at(range.begin);
  if (first >= from_.pieces.size()) return;
  go_to(from_.pieces[first].where);
  write_tokens(range);
  contiguous_ = false;
}

void text_writer::write_piece(const piece& each, token_range within) {
  if (each.written.empty())
    write_token(each.tokens.begin);
  else if (!each.expand)
    write_use(each);
  else
    write_tokens(
        {std::max(each.tokens.begin, within.begin), std::min(each.tokens.end, within.end)});
}

/// Writes a macro's use as in the file, with the edits of its arguments.
void text_writer::write_use(const piece& each) {
  std::vector<piece::hole> holes = each.holes;
  std::sort(holes.begin(), holes.end(),
            [](const auto& a, const auto& b) { return a.offset < b.offset; });
  std::size_t done = 0;
  for (const piece::hole& hole : holes) {
    if (hole.offset < done || !from_.edits.contains(hole.of)) continue;
    put(std::string_view(each.written).substr(done, hole.offset - done));
    write_token(hole.of);
    done = hole.offset + hole.length;
  }
  put(std::string_view(each.written).substr(done));
}

void text_writer::write_tokens(token_range range) {
  constexpr std::string_view no_blank_before = ",;)]", no_blank_behind = "([";
  for (token_index i = range.begin; i < range.end; ++i) {
    if (from_.tokens[i].hidden) continue;
    const char last = out_.empty() ? '\n' : out_.back();
    const char first = from_.tokens[i].text.empty() ? ' ' : from_.tokens[i].text[0];
    if (last != ' ' && last != '\n' && no_blank_behind.find(last) == std::string_view::npos &&
        no_blank_before.find(first) == std::string_view::npos &&
        (from_.tokens[i].blank_before || !of_word(last) || of_word(first)))
      put(" ");
    write_token(i);
  }
}

void text_writer::write_token(token_index i) {
  const auto found = from_.edits.find(i);
  if (found == from_.edits.end()) return put(from_.tokens[i].text);
  const edit& change = found->second;
  put(change.before);
  put(change.instead ? *change.instead : from_.tokens[i].text);
  put(change.after);
}

}  // namespace terrane::compiler
