// SPDX-License-Identifier: Apache-2.0
// inside.cpp: a machine inside a program with a main function of its own.
// prints: answers: 89 and 42

#include <cstdio>

#include "terrane/runtime.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

long fib(int n) {
  if (n < 2) return 1;
  auto left = spawn<fib>(n - 1);
  const long right = fib(n - 2);
  return left.join() + right;
}

int main() {
  runtime machine(2);
  auto one = machine.submit(fib, 10);
  auto two = machine.submit([] { return 42; });
  const long first = one.get();
  std::printf("answers: %ld and %d\n", first, two.get());
}
