// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: wavefront in EARTH style: a cell is a token that nobody waits for; the last one
// replies.
#include "bench/forks/terrane_tokens.hpp"
#include "bench/wavefront/kernel.h"

using namespace terrane;

namespace {

wavefront_grid grid;
reply<long> to_root;

struct compute : threaded<compute> {
  step start(int i, int j) {
    wavefront_compute(&grid, i, j);
    if (wavefront_is_ready(&grid, i + 1, j)) spawn<compute>(i + 1, j);
    if (wavefront_is_ready(&grid, i, j + 1)) spawn<compute>(i, j + 1);
    if (i + 1 == grid.n && j + 1 == grid.n) to_root.send(static_cast<long>(wavefront_last(&grid)));
    return done;
  }
};

struct compute_all : threaded<compute_all> {
  step start(reply<long> to) {
    to_root = to;
    spawn<compute>(0, 0);
    return done;
  }
};

struct wavefront_problem {
  static constexpr const char* name = "wavefront";
  static constexpr int n_max = wavefront_n_max, n_warm = wavefront_n_warm;
  explicit wavefront_problem(int n) { grid = wavefront_make(n); }
  ~wavefront_problem() { wavefront_free(&grid); }
  static bench_known known(int n) { return wavefront_known(n); }
  using root = compute_all;
  static auto start_values() { return std::tuple(); }
};

}  // namespace

int main(int argc, char** argv) { return run<bench::token_main<wavefront_problem>>(argc, argv); }
