// SPDX-License-Identifier: Apache-2.0
// mutator.hpp: texts of Threaded-C, damaged a little: what a tired user, or a broken disk, makes.
#pragma once

#include <string>
#include <vector>

#include "terrane/base/random.hpp"

namespace terrane::mutants {

struct sound_text {
  std::string path;
  std::string text;
};

class mutator {
 public:
  /// texts: at least one. They are what is damaged, and what words and lines are taken from.
  explicit mutator(std::vector<sound_text> texts);

  struct mutant {
    std::string path;  // of the text it was made from
    std::string text;
  };
  /// The same for the same seed and number, on every machine.
  mutant make(std::uint64_t seed, std::uint64_t number) const;

 private:
  struct split_text {
    std::string path;
    std::vector<std::string> tokens;  // words, signs, blanks and comments: the text, in order
    std::vector<std::string> lines;
  };
  void damage_tokens(std::vector<std::string>& tokens, random_stream&) const;
  void damage_lines(std::vector<std::string>& lines, random_stream&) const;
  static void damage_bytes(std::string& text, random_stream&);
  const std::string& any_token(random_stream&) const;

  std::vector<split_text> texts_;
};

}  // namespace terrane::mutants
