// SPDX-License-Identifier: Apache-2.0
// search.hpp: the lines of one file that a pattern is in, as grep -rn prints them.
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <regex>
#include <string>
#include <string_view>

namespace terrane::programs {

/// Plain text, found by the Boyer-Moore-Horspool method, or an extended regular expression.
struct grep_pattern {
  static constexpr std::size_t bytes_max = 127;
  char text[bytes_max + 1] = {};
  bool regular = false;
};

inline std::string read_file(const char* path) {
  std::string all;
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path, "rb"), std::fclose);
  if (!file) return all;
  char block[65536];
  for (std::size_t got; (got = std::fread(block, 1, sizeof block, file.get())) != 0;)
    all.append(block, got);
  return all;
}

/// path:line:text for each line with a match.
inline std::string matching_lines(const char* path, std::string_view text,
                                  const grep_pattern& pattern) {
  std::string found;
  std::size_t line = 1, counted = 0;  // lines before `counted`
  const auto add_line_at = [&](std::size_t at) {
    line +=
        static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                            text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 == 0
    const std::size_t end = std::min(text.find('\n', at), text.size());
    found += std::string(path) + ":" + std::to_string(line) + ":";
    found += text.substr(begin, end - begin);
    found += '\n';
    return end;
  };
  if (pattern.regular) {
    const std::regex wanted(pattern.text, std::regex::extended);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (std::regex_search(text.begin() + static_cast<std::ptrdiff_t>(begin),
                            text.begin() + static_cast<std::ptrdiff_t>(end), wanted))
        add_line_at(begin);
      begin = end + 1;
    }
    return found;
  }
  const std::string_view wanted = pattern.text;
  const std::boyer_moore_horspool_searcher search(wanted.begin(), wanted.end());
  for (auto from = text.begin(); from < text.end();) {
    const auto hit = std::search(from, text.end(), search);
    if (hit == text.end()) break;
    const std::size_t end = add_line_at(static_cast<std::size_t>(hit - text.begin()));
    from = text.begin() + static_cast<std::ptrdiff_t>(std::min(end + 1, text.size()));
  }
  return found;
}

}  // namespace terrane::programs
