// SPDX-License-Identifier: Apache-2.0
// terrane_futures.cpp: fib with Terrane's spawn and join, in a thread.
#include "bench/fib/known.h"
#include "bench/report.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/thread.hpp"

using namespace terrane;

// noexcept, because the peers in C throw nothing either.
static long fib(int n) noexcept {
  if (n <= 1) return 1;
  auto left = spawn<fib>(n - 1);
  const long right = fib(n - 2);
  return left.join() + right;
}

static int fib_main(int argc, char** argv) {
  char workers[16];
  snprintf(workers, sizeof workers, "%u", processors());
  char* words[] = {argv[0], workers, argc > 1 ? argv[1] : workers};
  const bench_run about = bench_arguments(argc + 1, words, "fib", "terrane_futures", fib_n_max);
  const bench_known known = fib_known(about.n);
  fib(fib_n_warm);
  const double begun = bench_now();
  const long found = fib(about.n);
  const double seconds = bench_now() - begun;
  bench_report(&about, &known, static_cast<std::uint64_t>(found), seconds);
  return 0;
}

int main(int argc, char** argv) { return run<thread_main<fib_main, 256 << 10>>(argc, argv); }
