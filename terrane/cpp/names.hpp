// SPDX-License-Identifier: Apache-2.0
// names.hpp: the names of types and functions as the compiler knows them, for error messages.
#pragma once

#include <array>
#include <string_view>

namespace terrane {

template <class T>
constexpr std::string_view signature_of_type() {
  return __PRETTY_FUNCTION__;  // "... [with T = fib; ...]" or "... [T = fib]"
}
template <auto M>
constexpr std::string_view signature_of_value() {
  return __PRETTY_FUNCTION__;  // "... [with auto M = &fib::sum; ...]" or "... [M = &fib::sum]"
}

/// The text after the first '=' of a signature.
constexpr std::string_view behind_equals(std::string_view signature) {
  const auto start = signature.find("= ") + 2;
  const auto next = signature.find(';', start);  // g++ continues with other parameters
  const auto end = next != signature.npos ? next : signature.rfind(']');
  return signature.substr(start, end - start);
}
constexpr std::string_view last_component(std::string_view name) {
  if (!name.empty() && name.back() == ')') name = name.substr(0, name.find('('));
  if (!name.empty() && name.front() == '&') name.remove_prefix(1);
  const auto at = name.rfind("::");
  return at == std::string_view::npos ? name : name.substr(at + 2);
}

/// A copy of the text as an array that ends with a zero.
template <std::size_t N>
constexpr std::array<char, N + 1> terminated(std::string_view text) {
  std::array<char, N + 1> copy{};
  for (std::size_t i = 0; i < N; ++i) copy[i] = text[i];
  return copy;
}

template <class T>
struct type_name {
  static constexpr std::string_view view = behind_equals(signature_of_type<T>());
  static constexpr auto text = terminated<view.size()>(view);
};
template <auto M>
struct function_name {
  static constexpr std::string_view view = last_component(behind_equals(signature_of_value<M>()));
  static constexpr auto text = terminated<view.size()>(view);
};

}  // namespace terrane
