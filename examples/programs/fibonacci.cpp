// SPDX-License-Identifier: Apache-2.0
// fibonacci.cpp: a call that may run elsewhere.
// prints: fib(25) = 121393

#include <cstdio>

#include "terrane/threads.hpp"

using namespace terrane;

long fib(int n) {
  if (n < 2) return 1;
  auto left = spawn<fib>(n - 1);  // any processor of the machine may take it
  const long right = fib(n - 2);
  return left.join() + right;
}

int example(int, char**) {
  std::printf("fib(25) = %ld\n", fib(25));
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
