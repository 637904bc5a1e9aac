// SPDX-License-Identifier: Apache-2.0
// taskflow.cpp: fib with a Taskflow task group per call.
#include <taskflow/taskflow.hpp>

#include "bench/fib/known.h"
#include "bench/report.hpp"
#include "bench/spread.h"

static std::uint64_t fib(tf::Executor& executor, int n) {
  if (n < 2) return 1;
  std::uint64_t left = 0;
  tf::TaskGroup group = executor.task_group();
  group.silent_async([&executor, &left, n] { left = fib(executor, n - 1); });
  const std::uint64_t right = fib(executor, n - 2);
  group.corun();
  return left + right;
}

static std::uint64_t fib_on(tf::Executor& executor, int n) {
  return executor.async([&executor, n] { return fib(executor, n); }).get();
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "fib", "taskflow", fib_n_max);
  tf::Executor executor(static_cast<std::size_t>(run.workers));
  fib_on(executor, fib_n_warm);
  bench_spread();
  bench::measure(run, fib_known(run.n), [&] { return fib_on(executor, run.n); });
}
