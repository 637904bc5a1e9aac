// SPDX-License-Identifier: Apache-2.0
// sentence.hpp: an event's sentence with its values filled in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace terrane {

/// Replaces each {field} of the sentence by value_of(field).
template <class ValueOf>
std::string fill_sentence(std::string_view sentence, ValueOf&& value_of) {
  std::string text;
  while (!sentence.empty()) {
    const auto open = sentence.find('{');
    const auto close = open == sentence.npos ? sentence.npos : sentence.find('}', open);
    if (close == sentence.npos) break;
    text += sentence.substr(0, open);
    text += value_of(sentence.substr(open + 1, close - open - 1));
    sentence.remove_prefix(close + 1);
  }
  return text.append(sentence);
}

/// `1 token`, `2 tokens`, `7 ns`, `5`.
inline std::string with_unit(std::int64_t value, std::string_view unit) {
  std::string text = std::to_string(value);
  if (unit.empty()) return text;
  if (value == 1 && unit.size() > 2 && unit.ends_with('s')) unit.remove_suffix(1);
  return text + ' ' + std::string(unit);
}

/// A node's number, or `any`.
inline std::string node_text(std::uint64_t node) {
  return node == 0xffffffffu ? "any" : std::to_string(node);
}

}  // namespace terrane
