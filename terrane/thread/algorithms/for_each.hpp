// SPDX-License-Identifier: Apache-2.0
// for_each.hpp: for_each and transform: a function of each element.
//
//   terrane::for_each(all, [](particle& each) { each.move(); });
//   terrane::transform(x.begin(), x.end(), y.begin(), [](double v) { return 2 * v; });
//
// Grain       The most elements of a piece, as the last argument; 0: automatic, at most 1,024
//             pieces.
#pragma once

#include <iterator>
#include <vector>

#include "terrane/thread/algorithms/pieces.hpp"

namespace terrane {

/// Calls body(element) for each, in any order. Iterators that can only be stepped are collected
/// first.
template <std::forward_iterator It, class Body>
void for_each(It first, It last, const Body& body, std::size_t grain = 0) {
  if constexpr (std::random_access_iterator<It>) {
    const std::size_t many = detail::count(first, last);
    if (many == 0) return;
    detail::in_pieces(0, many, detail::grain_of(many, 1, grain),
                      [&](std::size_t from, std::size_t to) {
                        const It end = detail::at(first, to);
                        for (It each = detail::at(first, from); each != end; ++each) body(*each);
                      });
  } else {
    std::vector<It> all;
    for (; first != last; ++first) all.push_back(first);
    terrane::for_each(all.begin(), all.end(), [&body](const It& each) { body(*each); }, grain);
  }
}
template <class Range, class Body>
  requires requires(Range& all) { std::begin(all); }
void for_each(Range&& all, const Body& body, std::size_t grain = 0) {
  terrane::for_each(std::begin(all), std::end(all), body, grain);
}

/// Writes change(element) for each. `to` may be `first`. Returns the end of what was written.
template <std::random_access_iterator It, std::random_access_iterator To, class Change>
To transform(It first, It last, To to, const Change& change, std::size_t grain = 0) {
  const std::size_t many = detail::count(first, last);
  if (many == 0) return to;
  detail::in_pieces(0, many, detail::grain_of(many, 1, grain),
                    [&](std::size_t from, std::size_t end) {
                      It each = detail::at(first, from);
                      To place = detail::at(to, from);
                      for (; from != end; ++from, ++each, ++place) *place = change(*each);
                    });
  return detail::at(to, many);
}
/// Writes change(element, other) for the elements of two rows.
template <std::random_access_iterator It, std::random_access_iterator Other,
          std::random_access_iterator To, class Change>
To transform(It first, It last, Other other, To to, const Change& change, std::size_t grain = 0) {
  const std::size_t many = detail::count(first, last);
  if (many == 0) return to;
  detail::in_pieces(0, many, detail::grain_of(many, 1, grain),
                    [&](std::size_t from, std::size_t end) {
                      It each = detail::at(first, from);
                      Other beside = detail::at(other, from);
                      To place = detail::at(to, from);
                      for (; from != end; ++from, ++each, ++beside, ++place)
                        *place = change(*each, *beside);
                    });
  return detail::at(to, many);
}
template <detail::row Range, std::random_access_iterator To, class Change>
To transform(const Range& all, To to, const Change& change, std::size_t grain = 0) {
  return terrane::transform(std::begin(all), std::end(all), to, change, grain);
}

}  // namespace terrane
