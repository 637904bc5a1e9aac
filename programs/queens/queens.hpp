// SPDX-License-Identifier: Apache-2.0
// queens.hpp: the threaded functions of the program queens: a binary tree of "put a queen here" and
// "try the rest of the row".
//
// Invariants  A board is written by its owner only, before its tokens go out; children copy it from
//             there, whichever processor runs them, while its owner waits for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

/// Which columns of the row to come are attacked, and how: a bit for each column.
struct queens_board {
  int n, throttle;
  unsigned columns, rising, falling;

  unsigned attacked() const { return columns | rising | falling; }
  bool safe(int column) const { return (attacked() >> column & 1) == 0; }
  void place(unsigned queen) {
    columns |= queen;
    rising = (rising | queen) << 1;
    falling = (falling | queen) >> 1;
  }
};

/// Put a queen into column `put` of the row before `row` (below 0: none), then find all ways to
/// fill `row`, from column `first` on, and those below.
struct queens_branch {
  int row, first, put;
};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::queens_board> = true;
template <>
inline constexpr bool terrane::position_independent<terrane::programs::queens_branch> = true;

namespace terrane::programs {

/// Work in world `sim`: placing a queen and updating the board, as on a current core.
/// Fetching a board and adding two numbers is none.
constexpr operation queens_node{"queens_node", 6.0};

/// All ways to fill the rows from `row` on, without another token. nodes: grows by the queens put.
inline long solve(const queens_board& board, int row, std::uint64_t& nodes) {
  if (row == board.n) return 1;
  long ways = 0;
  for (unsigned free = ((1u << board.n) - 1) & ~board.attacked(); free != 0; free &= free - 1) {
    queens_board next = board;
    next.place(free & -free);
    ++nodes;
    ways += solve(next, row + 1, nodes);
  }
  return ways;
}

struct queens : threaded<queens> {
  queens_board board;
  queens_branch branch;
  reply<long> out;
  long placed, skipped;
  join fetched = on<&queens::work>();
  join both = on<&queens::sum>();

  step start(global<queens_board> parent, queens_branch which, reply<long> to) {
    branch = which;
    out = to;
    charge(queens_node, 0);
    block_move(parent, to_global(board), 1, fetched.one());
    return await(fetched);
  }

  step work() {
    const auto [row, first, put] = branch;
    if (put >= 0) board.place(1u << put);
    if (row == board.throttle) {
      std::uint64_t nodes = 1;
      const long ways = solve(board, row, nodes);
      charge(queens_node, nodes);
      out.send(ways);
      return done;
    }
    charge(queens_node, put >= 0 ? 1 : 0);
    int column = first;
    while (column < board.n && !board.safe(column)) ++column;
    if (column == board.n) {
      out.send(0);
      return done;
    }
    spawn<queens>(to_global(board), queens_branch{row + 1, 0, column}, both.into(placed));
    spawn<queens>(to_global(board), queens_branch{row, column + 1, -1}, both.into(skipped));
    return await(both);
  }

  step sum() {
    charge(queens_node, 0);
    out.send(placed + skipped);
    return done;
  }
};

struct queens_main : threaded<queens_main> {
  queens_board empty;
  long placed, skipped;
  join both = on<&queens_main::print>();

  step start(int argc, char** argv) {
    charge(queens_node, 0);
    program_arguments given(argc, argv);
    const int n = given.number("N", {.otherwise = 12, .least = 1, .most = 20});
    const int t = given.number("T", {.otherwise = std::min(4, n), .least = 1, .most = n});
    if (!given.complete()) return done;
    empty = {n, t, 0, 0, 0};
    spawn<queens>(to_global(empty), queens_branch{1, 0, 0}, both.into(placed));
    spawn<queens>(to_global(empty), queens_branch{0, 1, -1}, both.into(skipped));
    return await(both);
  }
  step print() {
    charge(queens_node, 0);
    std::printf("queens(%d) = %ld\n", empty.n, placed + skipped);
    return done;
  }
};

}  // namespace terrane::programs
