// SPDX-License-Identifier: Apache-2.0
// reduce.hpp: sums of a row in the wide sense: reduce, transform_reduce, count_if, and the smallest
// and largest element.
//
//   double sum = terrane::reduce(x.begin(), x.end(), 0.0);
//   double dot = terrane::transform_reduce(x.begin(), x.end(), y.begin(), 0.0);
//
// Exact       Neighbours are combined in their order, and the brackets stand at the same places on
//             every machine, for the same number of elements and the same grain. So a sum of
//             floating-point numbers has the same bits everywhere, in every run. The operation must
//             be associative; it need not be commutative.
#pragma once

#include <functional>
#include <iterator>

#include "terrane/thread/algorithms/pieces.hpp"

namespace terrane {

/// combine(first_value, ... map(element) ...).
template <std::random_access_iterator It, class T, class Combine, class Map>
T transform_reduce(It first, It last, T first_value, const Combine& combine, const Map& map,
                   std::size_t grain = 0) {
  const std::size_t many = detail::count(first, last);
  if (many == 0) return first_value;
  const auto leaf = [&](std::size_t from, std::size_t to) {
    It each = detail::at(first, from);
    T sum = map(*each);
    for (++from, ++each; from != to; ++from, ++each) sum = combine(std::move(sum), map(*each));
    return sum;
  };
  return combine(
      std::move(first_value),
      detail::reduce_pieces(0, many, detail::grain_of(many, 1, grain), leaf,
                            [&](T a, T b) -> T { return combine(std::move(a), std::move(b)); }));
}
/// combine(first_value, ... map(element, other) ...) of two rows; by default their dot product.
template <std::random_access_iterator It, std::random_access_iterator Other, class T,
          class Combine = std::plus<>, class Map = std::multiplies<>>
T transform_reduce(It first, It last, Other other, T first_value, const Combine& combine = {},
                   const Map& map = {}, std::size_t grain = 0) {
  const std::size_t many = detail::count(first, last);
  if (many == 0) return first_value;
  const auto leaf = [&](std::size_t from, std::size_t to) {
    It each = detail::at(first, from);
    Other beside = detail::at(other, from);
    T sum = map(*each, *beside);
    for (++from, ++each, ++beside; from != to; ++from, ++each, ++beside)
      sum = combine(std::move(sum), map(*each, *beside));
    return sum;
  };
  return combine(
      std::move(first_value),
      detail::reduce_pieces(0, many, detail::grain_of(many, detail::cheap_piece, grain), leaf,
                            [&](T a, T b) -> T { return combine(std::move(a), std::move(b)); }));
}

/// combine(first_value, ... element ...); by default the sum.
template <std::random_access_iterator It, class T, class Combine = std::plus<>>
T reduce(It first, It last, T first_value, const Combine& combine = {}, std::size_t grain = 0) {
  const std::size_t many = detail::count(first, last);
  if (grain == 0) grain = detail::grain_of(many, detail::cheap_piece);
  return terrane::transform_reduce(
      first, last, std::move(first_value), combine, [](const auto& each) -> T { return each; },
      grain);
}
template <detail::row Range, class T, class Combine = std::plus<>>
T reduce(const Range& all, T first_value, const Combine& combine = {}, std::size_t grain = 0) {
  return terrane::reduce(std::begin(all), std::end(all), std::move(first_value), combine, grain);
}

/// How many elements `is_wanted` accepts.
template <std::random_access_iterator It, class Wanted>
std::size_t count_if(It first, It last, const Wanted& is_wanted) {
  return terrane::transform_reduce(
      first, last, std::size_t{0}, std::plus<>(),
      [&](const auto& each) { return static_cast<std::size_t>(is_wanted(each) ? 1 : 0); },
      detail::grain_of(detail::count(first, last), detail::cheap_piece));
}

/// The first of the smallest elements; `last` if there is none.
template <std::random_access_iterator It, class Less = std::less<>>
It min_element(It first, It last, const Less& less = {}) {
  const std::size_t many = detail::count(first, last);
  if (many == 0) return last;
  return detail::reduce_pieces(
      0, many, detail::grain_of(many, detail::cheap_piece),
      [&](std::size_t from, std::size_t to) {
        It least = detail::at(first, from);
        for (++from; from != to; ++from)
          if (less(*detail::at(first, from), *least)) least = detail::at(first, from);
        return least;
      },
      [&](It one, It other) { return less(*other, *one) ? other : one; });
}
/// The first of the largest elements; `last` if there is none.
template <std::random_access_iterator It, class Less = std::less<>>
It max_element(It first, It last, const Less& less = {}) {
  return terrane::min_element(first, last,
                              [&](const auto& one, const auto& other) { return less(other, one); });
}

}  // namespace terrane
