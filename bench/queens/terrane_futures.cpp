// SPDX-License-Identifier: Apache-2.0
// terrane_futures.cpp: queens with Terrane's spawn and join, every legal placement a future.
#include "bench/queens/kernel.h"
#include "bench/queens/known.h"
#include "bench/report.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/thread.hpp"

template <>
inline constexpr bool terrane::position_independent<queens_board> = true;

using namespace terrane;

// noexcept, because the peers in C throw nothing either.
static long queens(queens_board board, int row, int n) noexcept;

/// Counts the solutions from all legal placements in this row from `column` on: the first is a
/// future, which another processor may take; the others are counted here.
static long placements(queens_board board, int row, int n, int column) noexcept {
  while (column < n && !queens_legal(&board, row, column)) ++column;
  if (column == n) return 0;
  auto one = spawn<queens>(queens_place(board, row, column), row + 1, n);
  const long others = placements(board, row, n, column + 1);
  return one.join() + others;
}

static long queens(queens_board board, int row, int n) noexcept {
  return row == n ? 1 : placements(board, row, n, 0);
}

static int queens_main(int argc, char** argv) {
  char workers[16];
  snprintf(workers, sizeof workers, "%u", processors());
  char* words[] = {argv[0], workers, argc > 1 ? argv[1] : workers};
  const bench_run about =
      bench_arguments(argc + 1, words, "queens", "terrane_futures", queens_n_max);
  const bench_known known = queens_known(about.n);
  queens(queens_empty(), 0, queens_n_warm);
  const double begun = bench_now();
  const long found = queens(queens_empty(), 0, about.n);
  const double seconds = bench_now() - begun;
  bench_report(&about, &known, static_cast<std::uint64_t>(found), seconds);
  return 0;
}

int main(int argc, char** argv) { return run<thread_main<queens_main, 256 << 10>>(argc, argv); }
