// SPDX-License-Identifier: Apache-2.0
// scan.hpp: running sums: inclusive_scan and exclusive_scan.
//
//   terrane::inclusive_scan(x.begin(), x.end(), y.begin());             // y[i] = x[0] + ... + x[i]
//   terrane::exclusive_scan(x.begin(), x.end(), y.begin(), 0L);         // without x[i]
//
// How         The row is cut into pieces of a fixed size. Some of them at a time are summed in
//             parallel, then each is scanned, in parallel again, beginning with the sum of all
//             before it; the second time the elements come from the cache. On a node of one
//             processor there is one pass. Each result is combine(sum of the pieces before, sum
//             within the piece), so it has the same bits on every machine.
// Invariants  `combine` is associative. `to` may be `first`, but may not overlap otherwise.
#pragma once

#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <vector>

#include "terrane/core/processor.hpp"
#include "terrane/thread/algorithms/pieces.hpp"

namespace terrane {
namespace detail {

inline constexpr std::size_t scan_piece = 4096, scan_wave = 32;  // elements; pieces at a time

/// Sums of whole numbers are the same wherever the brackets stand: one addition for an element
/// instead of two.
template <class T, class Combine>
inline constexpr bool adds_exactly =
    std::is_integral_v<T> &&
    (std::is_same_v<Combine, std::plus<>> || std::is_same_v<Combine, std::plus<T>>);

/// Scans one piece. before: the sum of all that lies before it, if anything does. Returns the sum
/// of the piece.
template <bool Inclusive, class T, class It, class To, class Combine>
T scan_one(It each, It end, To to, const std::optional<T>& before, const Combine& combine) {
  if constexpr (adds_exactly<T, Combine>) {
    const T first = before.value_or(T{});
    T sum = first;
    for (; each != end; ++each, ++to) {
      const T next = combine(sum, *each);  // before the write, which may be to the same place
      *to = Inclusive ? next : sum;
      sum = next;
    }
    return static_cast<T>(sum - first);
  }
  T sum = *each;
  if constexpr (Inclusive) {
    if (before)
      *to = combine(*before, sum);
    else
      *to = sum;
  } else {
    *to = *before;
  }
  for (++each, ++to; each != end; ++each, ++to) {
    if constexpr (Inclusive) {
      sum = combine(std::move(sum), *each);
      if (before)
        *to = combine(*before, sum);
      else
        *to = sum;
    } else {
      T next = combine(sum, *each);  // before the write, which may be to the same place
      *to = combine(*before, sum);
      sum = std::move(next);
    }
  }
  return sum;
}

template <bool Inclusive, class T, class It, class To, class Combine>
To scan(It first, It last, To to, std::optional<T> before, const Combine& combine) {
  const std::size_t many = count(first, last);
  const std::size_t pieces = (many + scan_piece - 1) / scan_piece;
  const auto piece_at = [&](std::size_t piece) {
    const std::size_t from = piece * scan_piece;
    return from < many ? at(first, from) : last;
  };
  const auto add = [&](T sum) {
    if (before)
      before = combine(std::move(*before), std::move(sum));
    else
      before = std::move(sum);
  };
  const auto scan_piece_at = [&](std::size_t piece, const std::optional<T>& sum_before) {
    return scan_one<Inclusive, T>(piece_at(piece), piece_at(piece + 1), at(to, piece * scan_piece),
                                  sum_before, combine);
  };
  const bool alone = here().processors_per_node() == 1;
  for (std::size_t wave = 0; wave < pieces; wave += scan_wave) {
    const std::size_t end = pieces - wave < scan_wave ? pieces : wave + scan_wave;
    if (alone || end - wave == 1) {
      for (std::size_t piece = wave; piece != end; ++piece) add(scan_piece_at(piece, before));
      continue;
    }
    std::vector<std::optional<T>> sums(end - wave);  // first of each piece, then of all before it
    in_pieces(wave, end, 1, [&](std::size_t piece, std::size_t) {
      It each = piece_at(piece);
      const It stop = piece_at(piece + 1);
      T sum = *each;
      for (++each; each != stop; ++each) sum = combine(std::move(sum), *each);
      sums[piece - wave].emplace(std::move(sum));
    });
    for (auto& sum : sums) {
      std::optional<T> of_all_before = before;
      add(std::move(*sum));
      sum = std::move(of_all_before);
    }
    in_pieces(wave, end, 1,
              [&](std::size_t piece, std::size_t) { scan_piece_at(piece, sums[piece - wave]); });
  }
  return at(to, many);
}

}  // namespace detail

/// Writes the sum of the elements up to and with each. Returns the end of what was written.
template <std::random_access_iterator It, std::random_access_iterator To,
          class Combine = std::plus<>>
To inclusive_scan(It first, It last, To to, const Combine& combine = {}) {
  return detail::scan<true, std::iter_value_t<It>>(first, last, to, {}, combine);
}
/// The same, beginning with `first_value`.
template <std::random_access_iterator It, std::random_access_iterator To, class Combine, class T>
To inclusive_scan(It first, It last, To to, const Combine& combine, T first_value) {
  return detail::scan<true, T>(first, last, to, std::optional<T>(std::move(first_value)), combine);
}
/// Writes the sum of `first_value` and of the elements before each.
template <std::random_access_iterator It, std::random_access_iterator To, class T,
          class Combine = std::plus<>>
To exclusive_scan(It first, It last, To to, T first_value, const Combine& combine = {}) {
  return detail::scan<false, T>(first, last, to, std::optional<T>(std::move(first_value)), combine);
}

}  // namespace terrane
