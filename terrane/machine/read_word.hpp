// SPDX-License-Identifier: Apache-2.0
// read_word.hpp: reads an option's value that is one of a few words.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "terrane/base/result.hpp"

namespace terrane {

/// Sets `into` to what the word stands for. An error completes "--name ..." and lists the words.
template <class Value, std::size_t count>
result<void> read_word(std::string_view text,
                       const std::pair<std::string_view, Value> (&words)[count], Value& into) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    if (words[i].first == text) return into = words[i].second, result<void>();
    all += fmt::format("{}{}", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i].first);
  }
  return error{fmt::format("takes {}, not '{}'", all, text)};
}

}  // namespace terrane
