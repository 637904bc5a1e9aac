// SPDX-License-Identifier: Apache-2.0
// packed_value.hpp: objects as bytes, so that they can go to another node.
//
//   struct word {
//     std::string text;
//     long count;
//   };
//   void terrane_pack(terrane::packing& into, const word& one) { into(one.text, one.count); }
//   void terrane_unpack(terrane::unpacking& from, word& one) { from(one.text, one.count); }
//
// Purpose     One way for a type to leave its node: it is a wire value, or terrane_pack and
//             terrane_unpack are declared for it, beside the type. Containers, pairs, tuples and
//             optionals of the standard have both, if their elements may leave.
// Invariants  Both name the same parts in the same order. All nodes are on hosts that lay out plain
//             data alike (docs/wire-format.md).
//             A type that can be unpacked can be made without arguments.
#pragma once

#include <cstddef>
#include <cstring>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "terrane/cpp/wire_value.hpp"

namespace terrane {

class packing;
class unpacking;

namespace detail {

template <class T>
concept packed_by_its_type =
    requires(packing& into, unpacking& from, const T& packed, T& unpacked) {
      terrane_pack(into, packed);
      terrane_unpack(from, unpacked);
    } && std::is_default_constructible_v<T>;

/// The type of a container's elements, without the const of a map's keys.
template <class T>
struct element {
  using type = T;
};
template <class First, class Second>
struct element<std::pair<const First, Second>> {
  using type = std::pair<First, Second>;
};
template <class T>
using element_of = typename element<typename T::value_type>::type;

template <class T>
concept container = requires(T& all, const T& seen, element_of<T>&& one) {
  seen.begin();
  seen.end();
  { seen.size() } -> std::convertible_to<std::size_t>;
  all.clear();
  all.insert(all.end(), std::move(one));
} && std::is_default_constructible_v<T>;
/// Elements that lie side by side, and are copied at once.
template <class T>
concept plain_row = container<T> && wire_value<typename T::value_type> && requires(T& all) {
  { all.data() } -> std::convertible_to<typename T::value_type*>;
  all.resize(std::size_t{});
};
template <class T>
concept optional_like = requires(T& one, const T& seen) {
  { seen.has_value() } -> std::convertible_to<bool>;
  one.reset();
  one.emplace();
  *seen;
} && std::is_default_constructible_v<T>;
template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; };

template <class T>
constexpr bool may_leave();
template <class T>
struct parts_may_leave : std::false_type {};
template <class... T>
struct parts_may_leave<std::tuple<T...>> : std::bool_constant<(may_leave<T>() && ...)> {};
template <class A, class B>
struct parts_may_leave<std::pair<A, B>> : std::bool_constant<may_leave<A>() && may_leave<B>()> {};
template <template <class, std::size_t> class Array, class T, std::size_t N>
struct parts_may_leave<Array<T, N>> : std::bool_constant<may_leave<T>()> {};

template <class T>
constexpr bool may_leave() {
  if constexpr (wire_value<T> || packed_by_its_type<T>)
    return true;
  else if constexpr (container<T>)
    return may_leave<element_of<T>>();
  else if constexpr (optional_like<T>)
    return may_leave<typename T::value_type>();
  else if constexpr (tuple_like<T>)
    return parts_may_leave<T>::value;
  else
    return false;
}

}  // namespace detail

/// A type whose values may go to another node: a wire value, or one that is packed.
template <class T>
concept packable = detail::may_leave<T>();

/// Where terrane_pack writes to: call it with the parts of the object.
class packing {
 public:
  template <class... T>
  void operator()(const T&... parts) {
    (pack(parts), ...);
  }
  std::vector<unsigned char> take() { return std::move(bytes_); }

 private:
  void add(const void* from, std::size_t bytes) {
    const auto* const first = static_cast<const unsigned char*>(from);
    bytes_.insert(bytes_.end(), first, first + bytes);
  }
  template <class T>
  void pack(const T& one) {
    static_assert(packable<T>,
                  "this type cannot leave its node: declare terrane_pack and terrane_unpack for it "
                  "beside the type, or terrane::position_independent if it is plain data");
    if constexpr (wire_value<T>) {
      add(&one, sizeof one);
    } else if constexpr (detail::packed_by_its_type<T>) {
      terrane_pack(*this, one);
    } else if constexpr (detail::container<T>) {
      const std::size_t many = one.size();
      add(&many, sizeof many);
      if constexpr (detail::plain_row<T>)
        add(one.data(), many * sizeof(typename T::value_type));
      else
        for (const auto& each : one) pack<detail::element_of<T>>(each);
    } else if constexpr (detail::optional_like<T>) {
      pack(one.has_value());
      if (one.has_value()) pack(*one);
    } else {
      std::apply([&](const auto&... each) { (*this)(each...); }, one);
    }
  }

  std::vector<unsigned char> bytes_;
};

/// Where terrane_unpack reads from: call it with the same parts in the same order.
class unpacking {
 public:
  unpacking(const unsigned char* bytes, std::size_t size) : next_(bytes), left_(size) {}
  template <class... T>
  void operator()(T&... parts) {
    (unpack(parts), ...);
  }
  /// Nothing is left over.
  bool ended() const { return left_ == 0; }

 private:
  const unsigned char* take(std::size_t bytes) {
    if (bytes > left_)
      throw std::length_error("terrane_unpack reads more of a type than its terrane_pack wrote");
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }
  template <class T>
  void unpack(T& one) {
    if constexpr (wire_value<T>) {
      std::memcpy(static_cast<void*>(&one), take(sizeof one), sizeof one);
    } else if constexpr (detail::packed_by_its_type<T>) {
      terrane_unpack(*this, one);
    } else if constexpr (detail::container<T>) {
      one.clear();
      std::size_t many = 0;
      unpack(many);
      if constexpr (detail::plain_row<T>) {
        constexpr std::size_t each = sizeof(typename T::value_type);
        if (many > left_ / each) take(left_ + 1);
        one.resize(many);
        if (many != 0) std::memcpy(static_cast<void*>(one.data()), take(many * each), many * each);
      } else {
        for (; many != 0; --many) {
          detail::element_of<T> each{};
          unpack(each);
          one.insert(one.end(), std::move(each));
        }
      }
    } else if constexpr (detail::optional_like<T>) {
      one.reset();
      bool is_there = false;
      unpack(is_there);
      if (is_there) unpack(one.emplace());
    } else {
      std::apply([&](auto&... each) { (*this)(each...); }, one);
    }
  }

  const unsigned char* next_;
  std::size_t left_;
};

/// Rejects a type that cannot leave its node; the message names the cure.
template <class T>
constexpr void require_packable() {
  if constexpr (std::is_pointer_v<T> || std::is_reference_v<T>)
    require_wire_value<T>();
  else if constexpr (!std::is_void_v<T>)
    static_assert(packable<T>,
                  "this type cannot leave its node: declare terrane_pack and terrane_unpack for it "
                  "beside the type, or terrane::position_independent if it is plain data; or let "
                  "the future stay in its node: spawn");
}

}  // namespace terrane
