// SPDX-License-Identifier: Apache-2.0
// pieces.hpp: how the algorithms divide a range among processors.
//
// Purpose     A row of n elements is halved until its pieces have at most `grain`; the right half
//             of each is a future of this node.
// Grain       The choice depends on n alone: at most 1,024 pieces, and for cheap elements at least
//             1,024 in a piece. So the number of tokens, and the order in which a reduction sets
//             its brackets, are the same on every machine.
// Errors      An exception reaches the caller when all other pieces have ended; of several, one.
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "terrane/thread/future.hpp"

namespace terrane::detail {

inline constexpr std::size_t pieces_max = 1024;
/// Elements whose work is a few instructions, as in a sort or a sum.
inline constexpr std::size_t cheap_piece = 1024;

/// wished: what the caller named; 0: nothing.
inline std::size_t grain_of(std::size_t elements, std::size_t least, std::size_t wished = 0) {
  if (wished != 0) return wished;
  const std::size_t even = elements / pieces_max + (elements % pieces_max != 0);
  return even < least ? least : even;
}

/// Calls body(first, last) for pieces of [first, last), maybe at the same time.
template <class Body>
void in_pieces(std::size_t first, std::size_t last, std::size_t grain, const Body& body) {
  if (last - first <= grain) return body(first, last);
  const std::size_t middle = first + (last - first) / 2;
  auto right = spawn([&body, middle, last, grain] { in_pieces(middle, last, grain, body); });
  in_pieces(first, middle, grain, body);
  right.join();
}

/// combine(... leaf(first, last) ...) of neighbours, in their order.
template <class Leaf, class Combine>
auto reduce_pieces(std::size_t first, std::size_t last, std::size_t grain, const Leaf& leaf,
                   const Combine& combine) -> std::invoke_result_t<Leaf, std::size_t, std::size_t> {
  if (last - first <= grain) return leaf(first, last);
  const std::size_t middle = first + (last - first) / 2;
  auto right = spawn([&leaf, &combine, middle, last, grain] {
    return reduce_pieces(middle, last, grain, leaf, combine);
  });
  auto left = reduce_pieces(first, middle, grain, leaf, combine);
  return combine(std::move(left), right.join());
}

template <class It>
std::size_t count(It first, It last) {
  return static_cast<std::size_t>(last - first);
}
template <class It>
It at(It first, std::size_t index) {
  return first + static_cast<std::iter_difference_t<It>>(index);
}

/// What the algorithms take instead of two iterators.
template <class Range>
concept row = requires(Range& all) {
  { std::begin(all) } -> std::random_access_iterator;
  std::end(all);
};

}  // namespace terrane::detail
