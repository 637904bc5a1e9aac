// SPDX-License-Identifier: Apache-2.0
// arguments.hpp: the arguments of a call as one struct, in the form in which they are sent.
#pragma once

#include <new>
#include <utility>

namespace terrane {

template <class... T>
struct arguments {};
template <class First, class... Rest>
struct arguments<First, Rest...> {
  First first;
  [[no_unique_address]] arguments<Rest...> rest;
};

inline void write_arguments(arguments<>&) {}
/// Constructs the arguments in raw memory.
template <class First, class... Rest>
[[gnu::always_inline]] inline void write_arguments(arguments<First, Rest...>& all, First first,
                                                   Rest... rest) {
  ::new (&all.first) First(first);
  write_arguments(all.rest, rest...);
}

inline arguments<> as_arguments() { return {}; }
template <class First, class... Rest>
arguments<First, Rest...> as_arguments(const First& first, const Rest&... rest) {
  return {first, as_arguments(rest...)};
}

template <class Call, class... V>
[[gnu::always_inline]] inline decltype(auto) call_with(const arguments<>&, Call&& call,
                                                       V... values) {
  return call(values...);
}
/// Copies the values before the call, which may overwrite the struct.
template <class First, class... Rest, class Call, class... V>
[[gnu::always_inline]] inline decltype(auto) call_with(const arguments<First, Rest...>& all,
                                                       Call&& call, V... values) {
  if constexpr (sizeof...(Rest) == 0)
    return call(values..., First(all.first));
  else
    return call_with(all.rest, call, values..., First(all.first));
}

}  // namespace terrane
