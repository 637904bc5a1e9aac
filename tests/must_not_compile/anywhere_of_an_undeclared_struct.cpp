// SPDX-License-Identifier: Apache-2.0
// expect: or terrane::position_independent if it is plain data; or let the future stay in its node
#include "terrane/thread/spawn_anywhere.hpp"

struct board {
  int rows, columns;
};

long squares(board of) { return of.rows * of.columns; }
#ifndef CURED
long ask() { return terrane::spawn_anywhere(squares, board{8, 8}).join(); }
#else
long ask() { return terrane::spawn(squares, board{8, 8}).join(); }
#endif
