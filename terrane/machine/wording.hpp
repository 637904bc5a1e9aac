// SPDX-License-Identifier: Apache-2.0
// wording.hpp: words that users write, and the sentence that answers a wrong one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.hpp"

namespace terrane {

/// The sentence fit for one line of a terminal: what cannot be printed as \xNN, and the middle of a
/// very long one left out.
std::string one_line(std::string_view sentence);

/// The name that `word` was probably meant to be; empty if none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

/// Splits at blanks and line ends, as a shell does: '...' and "..." keep them, and a backslash
/// takes the next character as it is, but not within '...'. An open quote is an error.
result<std::vector<std::string>> split_words(std::string_view text);

/// The text that split_words splits into just these words.
std::string join_words(std::span<const std::string> words);

}  // namespace terrane
