// SPDX-License-Identifier: Apache-2.0
// parallel.hpp: loops, reductions and groups of calls, on futures.
//
//   parallel_for(0, n, [&](long i) { y[i] += a * x[i]; });
//   double sum = parallel_reduce(0, n, 0.0, [&](long i) { return x[i] * y[i]; }, std::plus<>());
//   invoke([&] { left = sort(a); }, [&] { right = sort(b); });
//
// Purpose     A range is halved until its pieces are small; the right half of each is a future.
// Grain       The most elements of a piece. If the caller names none, a range of up to 64 elements
//             has a piece for each, a longer one 64 pieces, or as many as have 32 elements, at most
//             1,024: short loops over little work are not all futures, and hundreds of processors
//             find work in long ones. The choice depends on the range alone, so tokens_generated
//             is the same on every machine.
// Where       Closures with captures run in this node, as those of spawn do.
// Errors      An exception reaches the caller when all other pieces have ended; of several, one.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "terrane/thread/future.hpp"

namespace terrane {

/// How a piece of a range carries the callable: a copy if it may cross nodes, else its address.
template <class F>
class carried_call {
 public:
  static constexpr bool travels =
      std::is_empty_v<F> || (std::is_trivially_copyable_v<F> && position_independent<F>);
  explicit carried_call(const F& call) : kept_(keep(call)) {}
  const F& operator*() const {
    if constexpr (travels)
      return kept_;
    else
      return *kept_;
  }

 private:
  static auto keep(const F& call) {
    if constexpr (travels)
      return call;
    else
      return &call;
  }
  std::conditional_t<travels, F, const F*> kept_;
};

/// The number of elements of a range, which may be more than the largest index.
template <std::integral Index>
using range_size = std::make_unsigned_t<Index>;
template <std::integral Index>
range_size<Index> size_of_range(Index first, Index last) {
  return static_cast<range_size<Index>>(static_cast<range_size<Index>>(last) -
                                        static_cast<range_size<Index>>(first));
}
template <std::integral Index>
Index middle_of_range(Index first, Index last) {
  return static_cast<Index>(static_cast<range_size<Index>>(first) + size_of_range(first, last) / 2);
}
template <std::integral Index>
range_size<Index> grain_of_range(Index first, Index last, Index wished) {
  constexpr range_size<Index> pieces_max = sizeof(Index) == 1 ? 64 : 1024;
  if (wished > 0) return static_cast<range_size<Index>>(wished);
  const range_size<Index> size = size_of_range(first, last), with_32 = size / 32;
  const range_size<Index> pieces = with_32 < 64 ? 64 : with_32 < pieces_max ? with_32 : pieces_max;
  return static_cast<range_size<Index>>(size / pieces + (size % pieces != 0));
}

template <class Index, class Body>
struct range_task {
  carried_call<Body> body;
  void operator()(Index first, Index last, range_size<Index> grain) const {
    if (size_of_range(first, last) <= grain) {
      for (Index i = first; i < last; ++i) (*body)(i);
      return;
    }
    const Index middle = middle_of_range(first, last);
    auto right = spawn(*this, middle, last, grain);
    (*this)(first, middle, grain);
    right.join();
  }
};
template <class Index, class Body>
inline constexpr bool position_independent<range_task<Index, Body>> = carried_call<Body>::travels;

/// Calls body(i) for first <= i < last, in any order and maybe at the same time. grain: the most
/// calls of one piece; 0: automatic.
template <std::integral Index, class Body>
void parallel_for(Index first, std::type_identity_t<Index> last, const Body& body,
                  std::type_identity_t<Index> grain = 0) {
  if (first >= last) return;
  range_task<Index, Body>{carried_call<Body>(body)}(first, last,
                                                    grain_of_range<Index>(first, last, grain));
}

template <class Index, class Value, class Map, class Combine>
struct reduce_task {
  carried_call<Map> map;
  carried_call<Combine> combine;
  Value operator()(Index first, Index last, range_size<Index> grain) const {
    if (size_of_range(first, last) <= grain) {
      Value sum = (*map)(first);
      for (++first; first < last; ++first) sum = (*combine)(std::move(sum), (*map)(first));
      return sum;
    }
    const Index middle = middle_of_range(first, last);
    auto right = spawn(*this, middle, last, grain);
    Value left = (*this)(first, middle, grain);
    return (*combine)(std::move(left), right.join());
  }
};
template <class Index, class Value, class Map, class Combine>
inline constexpr bool position_independent<reduce_task<Index, Value, Map, Combine>> =
    carried_call<Map>::travels && carried_call<Combine>::travels;

/// combine(...combine(map(first), map(first + 1))..., map(last - 1)); `empty` for an empty range.
/// combine must be associative: neighbours are combined in their order, but the brackets may stand
/// anywhere. With the same grain they stand in the same places on every machine.
template <std::integral Index, class Value, class Map, class Combine>
Value parallel_reduce(Index first, std::type_identity_t<Index> last, Value empty, const Map& map,
                      const Combine& combine, std::type_identity_t<Index> grain = 0) {
  if (first >= last) return empty;
  return reduce_task<Index, Value, Map, Combine>{carried_call<Map>(map),
                                                 carried_call<Combine>(combine)}(
      first, last, grain_of_range<Index>(first, last, grain));
}

template <class F>
struct call_task {
  carried_call<F> call;
  void operator()() const { (*call)(); }
};
template <class F>
inline constexpr bool position_independent<call_task<F>> = carried_call<F>::travels;

/// Calls all its arguments, maybe at the same time; returns when all calls have ended.
template <class First, class... Rest>
void invoke(const First& first, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    first();
  } else {
    auto others = spawn(call_task<First>{carried_call<First>(first)});
    invoke(rest...);
    others.join();
  }
}

}  // namespace terrane
