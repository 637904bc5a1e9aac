// SPDX-License-Identifier: Apache-2.0
// wording.hpp: splits users' text into words, and helps to report wrong words.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

/// The sentence as one line for a terminal: unprintable bytes become \xNN, and a very long sentence
/// loses its middle.
std::string one_line(std::string_view sentence);

/// The name that `word` was probably meant to be; empty if none is similar.
std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

/// Splits at blanks and line ends like a shell: they are kept within '...' and "...", and a
/// backslash quotes the next character, except within '...'. An unclosed quote is an error.
result<std::vector<std::string>> split_words(std::string_view text);

/// A text that split_words splits into these words.
std::string join_words(std::span<const std::string> words);

}  // namespace terrane
