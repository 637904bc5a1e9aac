// SPDX-License-Identifier: Apache-2.0
// libfork.cpp: matmul with coroutines on libfork's lazy pool.
#include <libfork.hpp>
#include <memory>

#include "bench/forks/timed.hpp"
#include "bench/matmul/kernel.h"
#include "bench/spread.h"

namespace {

lf::lazy_pool* pool = nullptr;

constexpr auto multiply = [](auto multiply, matmul_blocks of) LF_STATIC_CALL -> lf::task<void> {
  matmul_blocks first, second;
  switch (matmul_halves(&of, &first, &second)) {
    case matmul_whole: matmul_multiply(&of); co_return;
    case matmul_inner:
      co_await lf::call(multiply)(first);
      co_await lf::call(multiply)(second);
      break;
    default: co_await lf::fork(multiply)(first); co_await lf::call(multiply)(second);
  }
  co_await lf::join;
};

struct matmul_problem {
  static constexpr const char* name = "matmul";
  static constexpr int n_max = matmul_n_max, n_warm = matmul_n_warm;
  explicit matmul_problem(int side)
      : n(side), numbers(new double[3 * static_cast<std::size_t>(side) * side]) {
    matmul_fill(a(), b(), c(), n);
  }
  static bench_known known(int n) { return matmul_known(n); }
  void solve() { lf::sync_wait(*pool, multiply, matmul_blocks{c(), a(), b(), n, n, n, n}); }
  std::uint64_t answer() const { return matmul_check(c(), n); }

  double* a() const { return numbers.get(); }
  double* b() const { return a() + static_cast<std::size_t>(n) * n; }
  double* c() const { return b() + static_cast<std::size_t>(n) * n; }

  int n;
  std::unique_ptr<double[]> numbers;
};

}  // namespace

int main(int argc, char** argv) {
  const bench_run run = bench::arguments_of<matmul_problem>(argc, argv, "libfork");
  lf::lazy_pool workers(static_cast<std::size_t>(run.workers));
  pool = &workers;
  bench::warm_up<matmul_problem>();
  bench_spread();
  bench::solve_timed<matmul_problem>(run);
}
