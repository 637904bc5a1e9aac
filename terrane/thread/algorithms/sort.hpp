// SPDX-License-Identifier: Apache-2.0
// sort.hpp: sort, stable_sort, merge and partition.
//
//   terrane::sort(all);                                   // a vector, an array, a deque
//   terrane::stable_sort(all.begin(), all.end(), by_name);
//
// How         sort is quicksort: the pivot is the middle of nine, elements equal to it go to either
//             side, and pieces that are small, or deeper than twice the logarithm, are sorted by
//             std::sort. stable_sort merges from a copy and back; large merges are divided at the
//             middle of the longer row. partition divides each half, and then swaps what lies
//             between.
// Cost        stable_sort: a copy of the row. sort, partition: in place.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <vector>

#include "terrane/thread/algorithms/pieces.hpp"
#include "terrane/thread/parallel.hpp"

namespace terrane {
namespace detail {

template <class It, class Less>
It middle_of(It a, It b, It c, const Less& less) {
  if (less(*a, *b)) return less(*b, *c) ? b : (less(*a, *c) ? c : a);
  return less(*a, *c) ? a : (less(*b, *c) ? c : b);
}
template <class It, class Less>
It pivot_of(It first, std::size_t many, const Less& less) {
  const auto ninth = [&](std::size_t k) { return at(first, many / 8 * k); };
  return middle_of(middle_of(ninth(0), ninth(1), ninth(2), less),
                   middle_of(ninth(3), ninth(4), ninth(5), less),
                   middle_of(ninth(6), ninth(7), at(first, many - 1), less), less);
}
/// Puts a pivot into its place, nothing larger before it and nothing smaller behind.
template <class It, class Less>
It divide(It first, It last, const Less& less) {
  std::iter_swap(first, pivot_of(first, count(first, last), less));
  It low = first, high = last;
  while (true) {
    do ++low;
    while (low != last && less(*low, *first));
    do --high;
    while (less(*first, *high));
    if (low >= high) break;
    std::iter_swap(low, high);
  }
  std::iter_swap(first, high);
  return high;
}

template <class It, class Less>
void quick_sort(It first, It last, const Less& less, std::size_t grain, int levels) {
  if (count(first, last) <= grain || levels == 0) return std::sort(first, last, less);
  const It pivot = divide(first, last, less);
  auto right = spawn([=, &less] { quick_sort(pivot + 1, last, less, grain, levels - 1); });
  quick_sort(first, pivot, less, grain, levels - 1);
  right.join();
}

/// Moves two sorted rows to one; of equal elements those of `a` come first.
template <class It, class To, class Less>
void merge_rows(It a, It a_end, It b, It b_end, To to, const Less& less, std::size_t grain) {
  if (count(a, a_end) + count(b, b_end) <= grain) {
    std::merge(a, a_end, b, b_end, to, less);
    return;
  }
  It a_middle = a, b_middle = b;
  if (count(a, a_end) >= count(b, b_end)) {
    a_middle = a + (a_end - a) / 2;
    b_middle = std::lower_bound(b, b_end, *a_middle, less);
  } else {
    b_middle = b + (b_end - b) / 2;
    a_middle = std::upper_bound(a, a_end, *b_middle, less);
  }
  const To between = to + (a_middle - a) + (b_middle - b);
  terrane::invoke([&] { merge_rows(a_middle, a_end, b_middle, b_end, between, less, grain); },
                  [&] { merge_rows(a, a_middle, b, b_middle, to, less, grain); });
}

inline constexpr std::size_t insertion_most = 24;

/// Sorts `many` elements that lie at `from`, and at `copy` in the same order as objects that may be
/// overwritten; the result lies at `from`, or at `copy` if into_copy.
template <class It, class Copy, class Less>
void merge_sort(It from, Copy copy, std::size_t many, bool into_copy, const Less& less,
                std::size_t grain) {
  if (many <= insertion_most) {
    for (std::size_t i = 1; i < many; ++i) {
      const It mine = at(from, i);
      const It place = std::upper_bound(from, mine, *mine, less);
      std::rotate(place, mine, mine + 1);
    }
    if (into_copy) std::move(from, at(from, many), copy);
    return;
  }
  const std::size_t half = many / 2;
  const auto left = [&] { merge_sort(from, copy, half, !into_copy, less, grain); };
  const auto right = [&] {
    merge_sort(at(from, half), at(copy, half), many - half, !into_copy, less, grain);
  };
  if (many > grain) {
    terrane::invoke(right, left);
  } else {
    left();
    right();
  }
  const auto merge_from = [&](auto source, auto target) {
    const auto first = std::make_move_iterator(source);
    merge_rows(first, at(first, half), at(first, half), at(first, many), target, less, grain);
  };
  if (into_copy)
    merge_from(from, copy);
  else
    merge_from(copy, from);
}

/// Divides [first, last); returns how many of it are wanted.
template <class It, class Wanted>
std::size_t partition_pieces(It first, It last, const Wanted& is_wanted, std::size_t grain) {
  const std::size_t many = count(first, last);
  if (many <= grain) return count(first, std::partition(first, last, is_wanted));
  const It middle = at(first, many / 2);
  auto right = spawn([=, &is_wanted] { return partition_pieces(middle, last, is_wanted, grain); });
  const std::size_t wanted_left = partition_pieces(first, middle, is_wanted, grain);
  const std::size_t wanted_right = right.join();
  // wanted, others, wanted, others: as many of the second and third as can change places do
  const std::size_t others_left = many / 2 - wanted_left;
  const std::size_t swapped = others_left < wanted_right ? others_left : wanted_right;
  const It target = at(first, wanted_left), source = at(middle, wanted_right - swapped);
  if (swapped != 0)
    in_pieces(0, swapped, grain, [&](std::size_t from, std::size_t to) {
      std::swap_ranges(at(target, from), at(target, to), at(source, from));
    });
  return wanted_left + wanted_right;
}

}  // namespace detail

/// Sorts in place; equal elements may change their order.
template <std::random_access_iterator It, class Less = std::less<>>
void sort(It first, It last, const Less& less = {}) {
  const std::size_t many = detail::count(first, last);
  const int levels = 2 * std::bit_width(many);
  detail::quick_sort(first, last, less, detail::grain_of(many, detail::cheap_piece), levels);
}
template <detail::row Range, class Less = std::less<>>
void sort(Range&& all, const Less& less = {}) {
  terrane::sort(std::begin(all), std::end(all), less);
}

/// Sorts; equal elements keep their order.
template <std::random_access_iterator It, class Less = std::less<>>
void stable_sort(It first, It last, const Less& less = {}) {
  const std::size_t many = detail::count(first, last);
  if (many < 2) return;
  std::vector<std::iter_value_t<It>> copy(std::make_move_iterator(first),
                                          std::make_move_iterator(last));
  // From the copy, so that both rows hold objects, and the result lies where it should.
  detail::merge_sort(copy.begin(), first, many, true, less,
                     detail::grain_of(many, detail::cheap_piece));
}
template <detail::row Range, class Less = std::less<>>
void stable_sort(Range&& all, const Less& less = {}) {
  terrane::stable_sort(std::begin(all), std::end(all), less);
}

/// Merges two sorted rows; of equal elements those of the first come first. Returns the end of what
/// was written.
template <std::random_access_iterator A, std::random_access_iterator B,
          std::random_access_iterator To, class Less = std::less<>>
To merge(A a, A a_end, B b, B b_end, To to, const Less& less = {}) {
  static_assert(std::is_same_v<A, B>, "merge takes two rows of the same type");
  const std::size_t many = detail::count(a, a_end) + detail::count(b, b_end);
  detail::merge_rows(a, a_end, b, b_end, to, less, detail::grain_of(many, detail::cheap_piece));
  return detail::at(to, many);
}

/// Puts the elements that `is_wanted` accepts before all others. Returns the first of the others.
template <std::random_access_iterator It, class Wanted>
It partition(It first, It last, const Wanted& is_wanted) {
  const std::size_t many = detail::count(first, last);
  return detail::at(first, detail::partition_pieces(first, last, is_wanted,
                                                    detail::grain_of(many, detail::cheap_piece)));
}

}  // namespace terrane
