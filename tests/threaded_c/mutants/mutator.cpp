// SPDX-License-Identifier: Apache-2.0
#include "tests/threaded_c/mutants/mutator.hpp"

#include <array>
#include <cctype>
#include <iterator>
#include <numeric>

namespace terrane::mutants {

namespace {

/// What stands where it should not: the language's words, and values at the edges.
constexpr std::array inserted{
    "THREADED",
    "FIBER",
    "EXCLUSIVE",
    "GLOBAL",
    "SPTR",
    "SLOT",
    "MAILBOX",
    "TERMINATE",
    "TOKEN",
    "INVOKE",
    "MAIN",
    "PRIORITY",
    "END_FIBER",
    "APTR(int)",
    "TO_SPTR(",
    "TO_GLOBAL(&",
    "TO_LOCAL",
    "OWNER_OF",
    "SYNC(",
    "PUT_SYNC(",
    "GET_SYNC(",
    "SEND(",
    "GLOBAL_VAR",
    "GLOBAL_NULL",
    "NODE_ID",
    "NUM_NODES",
    "TFUNC",
    "<*",
    "*>",
    "static",
    "const",
    "extern",
    "typedef",
    "struct",
    "enum { A_, B_ }",
    "goto x;",
    "x:",
    "return",
    "return 1;",
    "break;",
    "case 1:",
    "if (1)",
    "else",
    "for (;;)",
    "while (0)",
    "switch (1) {",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "->",
    ".",
    "=",
    "0",
    "-1",
    "1",
    "07",
    "1.5",
    "1000000000000",
    "\"text\"",
    "'c'",
    "sizeof",
    "__typeof__(",
    "_Pragma(\"x\")",
    "void",
    "int",
    "long double",
    "char *",
    "#define FIBER",
    "\n#if 0\n",
    "\n#endif",
    "\n#line 3\n",
    "/*",
    "//",
    "\\\n",
    "##",
    "__LINE__",
    "_Alignas(64)",
    "[n]",
};

std::vector<std::string> split_tokens(const std::string& text) {
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    const auto is = [&](auto kind) {
      return end < text.size() && kind(static_cast<unsigned char>(text[end]));
    };
    const auto of_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    const auto of_blank = [](unsigned char c) { return std::isspace(c) != 0; };
    if (of_word(static_cast<unsigned char>(text[at])))
      while (is(of_word)) ++end;
    else if (of_blank(static_cast<unsigned char>(text[at])))
      while (is(of_blank)) ++end;
    tokens.push_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

std::string joined(const std::vector<std::string>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::string());
}

std::size_t below(random_stream& chance, std::size_t bound) {
  return chance.below(static_cast<std::uint32_t>(bound));
}

}  // namespace

mutator::mutator(std::vector<sound_text> texts) {
  for (sound_text& each : texts)
    texts_.push_back({std::move(each.path), split_tokens(each.text), split_lines(each.text)});
}

const std::string& mutator::any_token(random_stream& chance) const {
  const split_text& from = texts_[below(chance, texts_.size())];
  return from.tokens[below(chance, from.tokens.size())];
}

void mutator::damage_tokens(std::vector<std::string>& tokens, random_stream& chance) const {
  if (tokens.empty()) return;
  const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(below(chance, tokens.size()));
  switch (chance.below(8)) {
    case 0: tokens.erase(at); break;
    case 1: tokens.insert(at, *at); break;
    case 2: std::swap(*at, tokens[below(chance, tokens.size())]); break;
    case 3: *at = tokens[below(chance, tokens.size())]; break;
    case 4: *at = any_token(chance); break;
    case 5: *at = std::string(" ") + inserted[below(chance, inserted.size())] + " "; break;
    case 6:
      tokens.insert(at, std::string(" ") + inserted[below(chance, inserted.size())] + " ");
      break;
    default: {  // a stretch goes
      const auto most = std::min<std::ptrdiff_t>(12, tokens.end() - at);
      tokens.erase(at, at + 1 + chance.below(static_cast<std::uint32_t>(most)));
    }
  }
}

void mutator::damage_lines(std::vector<std::string>& lines, random_stream& chance) const {
  if (lines.empty()) return;
  const auto at = lines.begin() + static_cast<std::ptrdiff_t>(below(chance, lines.size()));
  const split_text& other = texts_[below(chance, texts_.size())];
  switch (chance.below(4)) {
    case 0: lines.erase(at); break;
    case 1: lines.insert(at, lines[below(chance, lines.size())]); break;
    case 2: std::swap(*at, lines[below(chance, lines.size())]); break;
    default: lines.insert(at, other.lines[below(chance, other.lines.size())]);
  }
}

void mutator::damage_bytes(std::string& text, random_stream& chance) {
  if (text.empty()) return;
  const std::size_t at = below(chance, text.size());
  switch (chance.below(3)) {
    case 0: text[at] = static_cast<char>(1 + chance.below(255)); break;
    case 1: text.erase(at, 1); break;
    default: text.resize(at);
  }
}

mutator::mutant mutator::make(std::uint64_t seed, std::uint64_t number) const {
  random_stream chance(seed, number);
  const split_text& from = texts_[below(chance, texts_.size())];
  std::vector<std::string> tokens = from.tokens, lines;
  const std::uint32_t kind = chance.below(10);
  if (kind < 7) {
    for (std::uint32_t left = 1 + chance.below(3); left > 0; --left) damage_tokens(tokens, chance);
    return {from.path, joined(tokens)};
  }
  if (kind < 9) {
    lines = from.lines;
    for (std::uint32_t left = 1 + chance.below(3); left > 0; --left) damage_lines(lines, chance);
    return {from.path, joined(lines)};
  }
  std::string text = joined(tokens);
  damage_bytes(text, chance);
  return {from.path, std::move(text)};
}

}  // namespace terrane::mutants
