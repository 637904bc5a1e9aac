// SPDX-License-Identifier: Apache-2.0
// wording.hpp: splits what users write into words, and helps to report wrong ones.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

/// The sentence as one line for a terminal: unprintable bytes as \xNN, without the middle if it is
/// very long.
std::string one_line(std::string_view sentence);

/// The name that `word` was probably meant to be; empty if none is similar.
std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

/// Splits at blanks and line ends as a shell does: '...' and "..." keep them, and a backslash
/// quotes the next character, except within '...'. An unclosed quote is an error.
result<std::vector<std::string>> split_words(std::string_view text);

/// The text that split_words splits into these words.
std::string join_words(std::span<const std::string> words);

}  // namespace terrane
