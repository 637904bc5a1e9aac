// SPDX-License-Identifier: Apache-2.0
// expect: declare the type position-independent if it holds no address
#include "terrane/terrane.hpp"

struct board {
  int rows, columns;
};
#ifdef CURED
template <>
inline constexpr bool terrane::position_independent<board> = true;
#endif

struct child : terrane::threaded<child> {
  terrane::step start(board) { return done; }
};
struct parent : terrane::threaded<parent> {
  terrane::step start(int) {
    spawn<child>(board{8, 8});
    return done;
  }
};
template struct terrane::activation<parent, false>;
