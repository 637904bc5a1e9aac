// SPDX-License-Identifier: Apache-2.0
// onetbb.cpp: fib with a task_group per call.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "bench/fib/known.h"
#include "bench/report.hpp"
#include "bench/spread.h"

static std::uint64_t fib(int n) {
  if (n < 2) return 1;
  std::uint64_t left = 0;
  tbb::task_group group;
  group.run([&left, n] { left = fib(n - 1); });
  const std::uint64_t right = fib(n - 2);
  group.wait();
  return left + right;
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "fib", "onetbb", fib_n_max);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(run.workers));
  tbb::task_arena arena(run.workers);
  arena.execute([] { return fib(fib_n_warm); });
  bench_spread();
  bench::measure(run, fib_known(run.n), [&] { return arena.execute([&] { return fib(run.n); }); });
}
