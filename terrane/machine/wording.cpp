// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace terrane {

namespace {

constexpr std::size_t sentence_bytes_max = 400, head_bytes = 200, tail_bytes = 150;
constexpr std::size_t name_bytes_max = 40;  // no name of ours is longer
constexpr std::string_view blanks = " \t\r\n";

/// Bytes of the printable UTF-8 character that `text` begins with; 0 if it begins with none.
std::size_t printable_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return first == 0xc2 && byte(1) < 0xa0 ? 0 : length;  // the second set of control characters
}

std::string escaped(std::string_view text) {
  std::string line;
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    if (bytes == 0)
      line += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else
      line += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return line;
}

/// The edit distance: letters to insert, remove or change to turn `left` into `right`.
std::size_t letters_apart(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);  // from the first i letters of left
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t changed = diagonal + (left[i] != right[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

bool needs_quotes(std::string_view word) {
  return word.empty() || word.find_first_of(std::string(blanks) + "'\"\\") != word.npos;
}

/// Removes the first word from `text`, which must not begin with a blank, and stores it in `word`.
/// False: a quote is not closed.
bool take_word(std::string_view& text, std::string& word) {
  char quote = 0;
  while (!text.empty() && (quote || blanks.find(text[0]) == blanks.npos)) {
    const char letter = text[0];
    text.remove_prefix(1);
    if (letter == quote) {
      quote = 0;
    } else if (!quote && (letter == '\'' || letter == '"')) {
      quote = letter;
    } else if (letter == '\\' && quote != '\'' && !text.empty()) {
      word += text[0];
      text.remove_prefix(1);
    } else {
      word += letter;
    }
  }
  return quote == 0;
}

}  // namespace

std::string one_line(std::string_view sentence) {
  if (sentence.size() <= sentence_bytes_max) return escaped(sentence);
  return escaped(sentence.substr(0, head_bytes)) + " [...] " +
         escaped(sentence.substr(sentence.size() - tail_bytes));
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> names) {
  if (word.size() > name_bytes_max) return {};
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string_view found;
  for (const std::string_view name : names) {
    const bool begun = word.size() >= 2 && name.starts_with(word) && word != "--";
    const std::size_t apart = begun ? 0 : letters_apart(word, name);
    if (apart >= least) continue;
    least = apart;
    found = name;
  }
  return found;
}

result<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(blanks)));
    if (text.empty()) return words;
    if (!take_word(text, words.emplace_back()))
      return error{fmt::format("a quote is not closed in '{}'", words.back())};
  }
}

std::string join_words(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    if (!needs_quotes(word)) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char letter : word)
      text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    text += '\'';
  }
  return text;
}

}  // namespace terrane
