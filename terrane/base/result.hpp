// SPDX-License-Identifier: Apache-2.0
// result.hpp: a value, or the one sentence that says why there is none.
//
// Purpose     What a function at the edge of the project returns when the outside world may refuse:
//             files, sockets, processes, options. Inside the project a broken rule is a check.
// Invariants  Holds a value or an error, never both. Asking for the one that is not there is
//             misuse: it aborts, naming the caller's line and the error that was ignored.
// Cost        One branch per question; no allocation beyond the sentence.
// Why ours    std::expected is C++23.
//
//   result<int> port = read_port(text);
//   if (!port) return error{"cannot listen: " + port.problem()};
//   listen_on(port.value());
#pragma once

#include "terrane/base/check.hpp"

#include <concepts>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace terrane {

/// Why something could not be done. text: one sentence that says what, where and what to do.
struct error {
  std::string text;
};

/// Ends the program: the value of a failed result was taken, or the error of a good one.
/// expected: completes "expected ...". where: the line that asked.
[[noreturn, gnu::cold]] inline void abort_for_wrong_side(const std::string& expected,
                                                         const std::source_location& where) {
  check_failed(expected.c_str(), where.file_name(), static_cast<int>(where.line()));
}

/// A `T`, or an error. Converts from either; as movable and copyable as `T` is.
template <class T>
class [[nodiscard]] result {
  static_assert(std::is_object_v<T> && !std::is_array_v<T>, "a result holds an object by value");
  static_assert(!std::same_as<std::remove_cv_t<T>, error>, "the error side is always there");

 public:
  template <class Value = T>
    requires(!std::same_as<std::remove_cvref_t<Value>, result> &&
             !std::same_as<std::remove_cvref_t<Value>, error> && std::convertible_to<Value &&, T>)
  result(Value&& from) : state_(std::in_place_index<0>, std::forward<Value>(from)) {}
  result(error why) : state_(std::in_place_index<1>, std::move(why)) {}

  /// True if the value is there.
  explicit operator bool() const noexcept { return state_.index() == 0; }

  /// The value. Aborts if there is none.
  T& value(std::source_location where = std::source_location::current()) & {
    expect_value(where);
    return *std::get_if<0>(&state_);
  }
  const T& value(std::source_location where = std::source_location::current()) const& {
    expect_value(where);
    return *std::get_if<0>(&state_);
  }
  T&& value(std::source_location where = std::source_location::current()) && {
    expect_value(where);
    return std::move(*std::get_if<0>(&state_));
  }

  /// The sentence of the error. Aborts if there is a value.
  const std::string& problem(std::source_location where = std::source_location::current()) const {
    if (*this) abort_for_wrong_side("an error, got a value", where);
    return std::get_if<1>(&state_)->text;
  }

 private:
  void expect_value(const std::source_location& where) const {
    if (!*this) abort_for_wrong_side("a value, got the error: " + problem(), where);
  }

  std::variant<T, error> state_;
};

/// Done, or an error. `return {};` says done.
template <>
class [[nodiscard]] result<void> {
 public:
  result() = default;
  result(error why) : error_(std::move(why)) {}

  /// True if it was done.
  explicit operator bool() const noexcept { return !error_.has_value(); }

  /// Aborts unless it was done: for callers for whom a failure is a bug.
  void value(std::source_location where = std::source_location::current()) const {
    if (error_) abort_for_wrong_side("no error, got: " + error_->text, where);
  }

  /// The sentence of the error. Aborts if there is none.
  const std::string& problem(std::source_location where = std::source_location::current()) const {
    if (!error_) abort_for_wrong_side("an error, got none", where);
    return error_->text;
  }

 private:
  std::optional<error> error_;
};

}  // namespace terrane
