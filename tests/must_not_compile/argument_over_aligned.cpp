// SPDX-License-Identifier: Apache-2.0
// expect: aligned
#include "terrane/terrane.hpp"

#ifndef CURED
struct alignas(16) pair {
#else
struct pair {
#endif
  double first, second;
};
template <>
inline constexpr bool terrane::position_independent<pair> = true;

struct child : terrane::threaded<child> {
  terrane::step start(pair) { return done; }
};
struct parent : terrane::threaded<parent> {
  terrane::step start(int) {
    spawn<child>(pair{1, 2});  // a token holds its arguments at a multiple of 8
    return done;
  }
};
template struct terrane::activation<parent, false>;
