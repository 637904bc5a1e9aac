// SPDX-License-Identifier: Apache-2.0
// find.hpp: searches that end early: find_if, find, any_of, all_of, none_of.
//
// Invariants  The answer is the first element that is wanted, as if the search went from left to
//             right. A piece ends when an element before it has been found; elements behind the
//             first one may be looked at.
#pragma once

#include <iterator>

#include "terrane/base/atomic.hpp"
#include "terrane/thread/algorithms/pieces.hpp"

namespace terrane {

/// The first element that `is_wanted` accepts; `last` if there is none.
template <std::random_access_iterator It, class Wanted>
It find_if(It first, It last, const Wanted& is_wanted, std::size_t grain = 0) {
  constexpr std::size_t looks = 64;  // elements between two looks at what others have found
  const std::size_t many = detail::count(first, last);
  if (many == 0) return last;
  // The place of the first that was found so far. All pieces read and write it. Relaxed: it is a
  // number alone, and the joins of the pieces order it before the caller reads it.
  atomic<std::size_t> found{many};
  detail::in_pieces(0, many, detail::grain_of(many, looks, grain),
                    [&](std::size_t from, std::size_t to) {
                      while (from < to && from < found.load(memory_order_relaxed)) {
                        const std::size_t end = to - from < looks ? to : from + looks;
                        for (; from != end; ++from) {
                          if (!is_wanted(*detail::at(first, from))) continue;
                          std::size_t before = found.load(memory_order_relaxed);
                          while (from < before &&
                                 !found.compare_exchange_weak(before, from, memory_order_relaxed)) {
                          }
                          return;
                        }
                      }
                    });
  return detail::at(first, found.load(memory_order_relaxed));
}
template <std::random_access_iterator It, class T>
It find(It first, It last, const T& value) {
  return terrane::find_if(first, last, [&](const auto& each) { return each == value; });
}
template <std::random_access_iterator It, class Wanted>
bool any_of(It first, It last, const Wanted& is_wanted) {
  return terrane::find_if(first, last, is_wanted) != last;
}
template <std::random_access_iterator It, class Wanted>
bool none_of(It first, It last, const Wanted& is_wanted) {
  return terrane::find_if(first, last, is_wanted) == last;
}
template <std::random_access_iterator It, class Wanted>
bool all_of(It first, It last, const Wanted& is_wanted) {
  return terrane::find_if(first, last, [&](const auto& each) { return !is_wanted(each); }) == last;
}

}  // namespace terrane
