// SPDX-License-Identifier: Apache-2.0
#include "compiler/driver/response_file.hpp"

#include <cctype>
#include <fstream>
#include <sstream>

namespace terrane::compiler {

namespace {

constexpr int depth_max = 100;  // of files that name other files

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      begun = true;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      begun = true;
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      word += c;
      begun = true;
    } else if (begun) {
      words.push_back(std::move(word));
      word.clear();
      begun = false;
    }
  }
  if (begun) words.push_back(std::move(word));
  return words;
}

std::string expand(const std::vector<std::string>& words, int depth,
                   std::vector<std::string>& all) {
  for (const std::string& word : words) {
    std::ifstream file;
    if (word.size() > 1 && word[0] == '@') file.open(word.substr(1));
    if (!file.is_open()) {
      all.push_back(word);
      continue;
    }
    if (depth == depth_max) return word + " names itself, perhaps by way of others";
    std::ostringstream text;
    text << file.rdbuf();
    if (std::string fault = expand(words_in(text.str()), depth + 1, all); !fault.empty())
      return fault;
  }
  return "";
}

}  // namespace

result<std::vector<std::string>> with_response_files(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  if (std::string fault = expand(words, 0, all); !fault.empty()) return error{fault};
  return all;
}

}  // namespace terrane::compiler
