// SPDX-License-Identifier: Apache-2.0
// game_of_life.cpp: generations of a board: a glider comes home.
// prints: 5 cells live, as before

#include <cstdio>
#include <utility>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

constexpr int side = 32;
using board = std::vector<char>;

std::size_t at(int row, int column) {
  return static_cast<std::size_t>((row + side) % side * side + (column + side) % side);
}

int example(int, char**) {
  board now(side * side), next(side * side);
  for (const auto& [row, column] : {std::pair{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}})
    now[at(row, column)] = 1;
  const board first = now;
  for (int generation = 0; generation < 4 * side; ++generation) {
    parallel_for(0, side, [&](int i) {
      for (int j = 0; j < side; ++j) {
        int around = -now[at(i, j)];
        for (int k = -1; k <= 1; ++k)
          for (int l = -1; l <= 1; ++l) around += now[at(i + k, j + l)];
        next[at(i, j)] = around == 3 || (around == 2 && now[at(i, j)] != 0);
      }
    });
    std::swap(now, next);
  }
  int live = 0;
  for (const char each : now) live += each;
  std::printf("%d cells live, %s\n", live, now == first ? "as before" : "elsewhere");
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
