// SPDX-License-Identifier: Apache-2.0
// libfork.cpp: queens with coroutines on libfork's lazy pool.
#include <libfork.hpp>

#include "bench/queens/kernel.h"
#include "bench/queens/known.h"
#include "bench/report.hpp"
#include "bench/spread.h"

static constexpr auto queens = [](auto queens, queens_board board, int row, int n)
                                   LF_STATIC_CALL -> lf::task<std::uint64_t> {
  if (row == n) co_return 1;
  std::uint64_t found[queens_n_max];
  int children = 0;
  for (int column = 0; column < n; ++column) {
    if (!queens_legal(&board, row, column)) continue;
    co_await lf::fork(&found[children], queens)(queens_place(board, row, column), row + 1, n);
    ++children;
  }
  co_await lf::join;
  std::uint64_t sum = 0;
  for (int i = 0; i < children; ++i) sum += found[i];
  co_return sum;
};

static std::uint64_t queens_on(lf::lazy_pool& pool, int n) {
  return lf::sync_wait(pool, queens, queens_empty(), 0, n);
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "queens", "libfork", queens_n_max);
  lf::lazy_pool pool(static_cast<std::size_t>(run.workers));
  queens_on(pool, queens_n_warm);
  bench_spread();
  bench::measure(run, queens_known(run.n), [&] { return queens_on(pool, run.n); });
}
