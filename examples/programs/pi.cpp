// SPDX-License-Identifier: Apache-2.0
// pi.cpp: a sum whose bits are the same on every machine.
// prints: pi = 3.141592653590

#include <cstdio>

#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  constexpr int steps = 1'000'000;
  const double sum = parallel_reduce(
      0, steps, 0.0,
      [](int i) {
        const double x = (i + 0.5) / steps;
        return 4 / (1 + x * x);
      },
      std::plus<>());
  std::printf("pi = %.12f\n", sum / steps);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
