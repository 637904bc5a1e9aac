// SPDX-License-Identifier: Apache-2.0
// expect: declare the type position-independent if it holds no address
#include "terrane/threads.hpp"

struct board {
  int rows, columns;
};
#ifdef CURED
template <>
inline constexpr bool terrane::position_independent<board> = true;
#endif

long squares(board of) { return of.rows * of.columns; }
long ask() { return terrane::spawn(squares, board{8, 8}).join(); }
