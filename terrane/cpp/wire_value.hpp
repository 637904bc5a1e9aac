// SPDX-License-Identifier: Apache-2.0
// wire_value.hpp: which values may be sent to another node: position-independent ones, which is
// checked at compile time.
#pragma once

#include <type_traits>

namespace terrane {

/// Declare this for your own trivially copyable types that hold no address:
///   template <> inline constexpr bool terrane::position_independent<board> = true;
template <class T>
inline constexpr bool position_independent = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T, std::size_t N>
inline constexpr bool position_independent<T[N]> = position_independent<T>;

template <class T>
concept wire_value = std::is_trivially_copyable_v<T> && position_independent<T>;

/// Rejects types that must not be sent to another node; each error message names the cure.
template <class T>
constexpr void require_wire_value() {
  static_assert(
      !std::is_pointer_v<T>,
      "a raw pointer means nothing on another node: pass a terrane::global<T> to the data, or "
      "a terrane::reply<T> for an answer");
  static_assert(!std::is_reference_v<T>,
                "a reference means nothing on another node: take the parameter by value");
  static_assert(std::is_pointer_v<T> || std::is_trivially_copyable_v<T>,
                "what crosses to another node must be trivially copyable: send its parts, or a "
                "terrane::global<T> to it");
  static_assert(std::is_pointer_v<T> || !std::is_trivially_copyable_v<T> || position_independent<T>,
                "declare the type position-independent if it holds no address: template <> inline "
                "constexpr bool terrane::position_independent<T> = true;");
}

}  // namespace terrane
