// SPDX-License-Identifier: Apache-2.0
// onetbb.cpp: queens with a task_group per board.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "bench/queens/kernel.h"
#include "bench/queens/known.h"
#include "bench/report.hpp"
#include "bench/spread.h"

static std::uint64_t queens(queens_board board, int row, int n) {
  if (row == n) return 1;
  std::uint64_t found[queens_n_max];
  int children = 0;
  tbb::task_group group;
  for (int column = 0; column < n; ++column) {
    if (!queens_legal(&board, row, column)) continue;
    group.run([&into = found[children], child = queens_place(board, row, column), row, n] {
      into = queens(child, row + 1, n);
    });
    ++children;
  }
  group.wait();
  std::uint64_t sum = 0;
  for (int i = 0; i < children; ++i) sum += found[i];
  return sum;
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "queens", "onetbb", queens_n_max);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(run.workers));
  tbb::task_arena arena(run.workers);
  arena.execute([] { return queens(queens_empty(), 0, queens_n_warm); });
  bench_spread();
  bench::measure(run, queens_known(run.n),
                 [&] { return arena.execute([&] { return queens(queens_empty(), 0, run.n); }); });
}
