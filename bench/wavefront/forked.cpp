// SPDX-License-Identifier: Apache-2.0
// forked.cpp: wavefront with the forks of a library: compile with -include bench/forks/LIBRARY.hpp.
#include "bench/wavefront/kernel.h"

namespace {

void compute(bench::bag& tasks, const wavefront_grid& grid, int i, int j) {
  wavefront_compute(&grid, i, j);
  if (wavefront_is_ready(&grid, i + 1, j))
    tasks.run([&tasks, &grid, i, j] { compute(tasks, grid, i + 1, j); });
  if (wavefront_is_ready(&grid, i, j + 1))
    tasks.run([&tasks, &grid, i, j] { compute(tasks, grid, i, j + 1); });
}

struct wavefront_problem {
  static constexpr const char* name = "wavefront";
  static constexpr int n_max = wavefront_n_max, n_warm = wavefront_n_warm;
  explicit wavefront_problem(int n) : grid(wavefront_make(n)) {}
  ~wavefront_problem() { wavefront_free(&grid); }
  static bench_known known(int n) { return wavefront_known(n); }
  void solve() {
    bench::bag tasks;
    bench::run_all(tasks, [&] { compute(tasks, grid, 0, 0); });
  }
  std::uint64_t answer() const { return wavefront_last(&grid); }

  wavefront_grid grid;
};

}  // namespace

int main(int argc, char** argv) { return bench::forked_main<wavefront_problem>(argc, argv); }
