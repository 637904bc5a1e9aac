// SPDX-License-Identifier: Apache-2.0
// terrane_futures.cpp: wavefront with Terrane's spawn and join: a cell that another made is joined
// by it, as in lace.c and libfork.cpp.
#include "bench/forks/terrane_futures.hpp"
#include "bench/wavefront/kernel.h"

namespace {

// noexcept, because the peers in C throw nothing either.
void compute(const wavefront_grid* grid, int i, int j) noexcept;

[[gnu::always_inline]] inline auto spawned_cell(const wavefront_grid* grid, int i, int j) {
  return terrane::spawn([grid, i, j]() noexcept { compute(grid, i, j); });
}

void compute(const wavefront_grid* grid, int i, int j) noexcept {
  wavefront_compute(grid, i, j);
  const bool below = wavefront_is_ready(grid, i + 1, j);
  const bool right = wavefront_is_ready(grid, i, j + 1);
  if (below) {
    auto one = spawned_cell(grid, i + 1, j);
    if (right) spawned_cell(grid, i, j + 1).join();
    one.join();
  } else if (right) {
    spawned_cell(grid, i, j + 1).join();
  }
}

struct wavefront_problem {
  static constexpr const char* name = "wavefront";
  static constexpr int n_max = wavefront_n_max, n_warm = wavefront_n_warm;
  explicit wavefront_problem(int n) : grid(wavefront_make(n)) {}
  ~wavefront_problem() { wavefront_free(&grid); }
  static bench_known known(int n) { return wavefront_known(n); }
  void solve() { compute(&grid, 0, 0); }
  std::uint64_t answer() const { return wavefront_last(&grid); }

  wavefront_grid grid;
};

}  // namespace

int main(int argc, char** argv) { return bench::forked_main<wavefront_problem>(argc, argv); }
