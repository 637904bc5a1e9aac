// SPDX-License-Identifier: Apache-2.0
// taskflow.cpp: queens with a Taskflow task group per board.
#include <taskflow/taskflow.hpp>

#include "bench/queens/kernel.h"
#include "bench/queens/known.h"
#include "bench/report.hpp"
#include "bench/spread.h"

static std::uint64_t queens(tf::Executor& executor, queens_board board, int row, int n) {
  if (row == n) return 1;
  std::uint64_t found[queens_n_max];
  int children = 0;
  tf::TaskGroup group = executor.task_group();
  for (int column = 0; column < n; ++column) {
    if (!queens_legal(&board, row, column)) continue;
    group.silent_async([&executor, &into = found[children],
                        child = queens_place(board, row, column), row,
                        n] { into = queens(executor, child, row + 1, n); });
    ++children;
  }
  group.corun();
  std::uint64_t sum = 0;
  for (int i = 0; i < children; ++i) sum += found[i];
  return sum;
}

static std::uint64_t queens_on(tf::Executor& executor, int n) {
  return executor.async([&executor, n] { return queens(executor, queens_empty(), 0, n); }).get();
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "queens", "taskflow", queens_n_max);
  tf::Executor executor(static_cast<std::size_t>(run.workers));
  queens_on(executor, queens_n_warm);
  bench_spread();
  bench::measure(run, queens_known(run.n), [&] { return queens_on(executor, run.n); });
}
