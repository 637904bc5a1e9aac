// SPDX-License-Identifier: Apache-2.0
// kernel.h: the work of one placement, the same for every library and the sequential program.
//
// Problem     queens(board, row, n) is 1 where row == n, else the sum over the legal columns of
//             queens(queens_place(board, row, column), row + 1, n). Every legal placement is a
//             task.
// Cost        A board travels by value: 16 bytes. A placement tries n columns against `row` queens.
// Language    C11 and C++20. bench/queens/rayon.rs does the same in Rust.
#ifndef TERRANE_BENCH_QUEENS_KERNEL_H
#define TERRANE_BENCH_QUEENS_KERNEL_H

#include <stdint.h>

enum { queens_n_max = 16, queens_n_warm = 8 };

/// column[i]: the column of the queen of row i. Rows not yet reached have no defined value.
struct queens_board {
  uint8_t column[queens_n_max];
};

/// Whether a queen at (row, column) is safe from the queens of all rows before.
static inline int queens_legal(const struct queens_board* board, int row, int column) {
  for (int i = 0; i < row; i++) {
    const int other = board->column[i];
    const int distance = row - i;
    if (other == column || other == column - distance || other == column + distance) return 0;
  }
  return 1;
}

static inline struct queens_board queens_place(struct queens_board board, int row, int column) {
  board.column[row] = (uint8_t)column;
  return board;
}

static inline struct queens_board queens_empty(void) {
  const struct queens_board board = {{0}};
  return board;
}

#endif
