// SPDX-License-Identifier: Apache-2.0
// libfork.cpp: fib with coroutines on libfork's lazy pool.
#include <libfork.hpp>

#include "bench/fib/known.h"
#include "bench/report.hpp"
#include "bench/spread.h"

static constexpr auto fib = [](auto fib, int n) LF_STATIC_CALL -> lf::task<std::uint64_t> {
  if (n < 2) co_return 1;
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  co_await lf::fork(&left, fib)(n - 1);
  co_await lf::call(&right, fib)(n - 2);
  co_await lf::join;
  co_return left + right;
};

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "fib", "libfork", fib_n_max);
  lf::lazy_pool pool(static_cast<std::size_t>(run.workers));
  lf::sync_wait(pool, fib, static_cast<int>(fib_n_warm));
  bench_spread();
  bench::measure(run, fib_known(run.n), [&] { return lf::sync_wait(pool, fib, run.n); });
}
