// SPDX-License-Identifier: Apache-2.0
// sequential.cpp: fib by plain calls, the divisor of every ratio.
//
// Pitfall     Without measures, the compilers inline the recursion to different depths, and turn
//             its second call into a loop, which halves the calls. noinline and the empty asm keep
//             every call a call, since every task is one in the libraries.
#include "bench/fib/known.h"
#include "bench/report.hpp"

[[gnu::noinline]] static std::uint64_t fib(int n) {
  if (n < 2) return 1;
  const std::uint64_t left = fib(n - 1);
  std::uint64_t right = fib(n - 2);
  asm volatile("" : "+r"(right));
  return left + right;
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "fib", "sequential", fib_n_max);
  bench::measure(run, fib_known(run.n), [&] { return fib(run.n); });
}
