// SPDX-License-Identifier: Apache-2.0
// libfork.cpp: wavefront with coroutines on libfork's lazy pool.
#include <libfork.hpp>

#include "bench/forks/timed.hpp"
#include "bench/spread.h"
#include "bench/wavefront/kernel.h"

namespace {

lf::lazy_pool* pool = nullptr;

// A task that another made is joined by it, which is what libfork offers.
constexpr auto compute = [](auto compute, const wavefront_grid* grid, int i, int j)
                             LF_STATIC_CALL -> lf::task<void> {
  wavefront_compute(grid, i, j);
  if (wavefront_is_ready(grid, i + 1, j)) co_await lf::fork(compute)(grid, i + 1, j);
  if (wavefront_is_ready(grid, i, j + 1)) co_await lf::fork(compute)(grid, i, j + 1);
  co_await lf::join;
};

struct wavefront_problem {
  static constexpr const char* name = "wavefront";
  static constexpr int n_max = wavefront_n_max, n_warm = wavefront_n_warm;
  explicit wavefront_problem(int n) : grid(wavefront_make(n)) {}
  ~wavefront_problem() { wavefront_free(&grid); }
  static bench_known known(int n) { return wavefront_known(n); }
  void solve() { lf::sync_wait(*pool, compute, &grid, 0, 0); }
  std::uint64_t answer() const { return wavefront_last(&grid); }

  wavefront_grid grid;
};

}  // namespace

int main(int argc, char** argv) {
  const bench_run run = bench::arguments_of<wavefront_problem>(argc, argv, "libfork");
  lf::lazy_pool workers(static_cast<std::size_t>(run.workers));
  pool = &workers;
  bench::warm_up<wavefront_problem>();
  bench_spread();
  bench::solve_timed<wavefront_problem>(run);
}
