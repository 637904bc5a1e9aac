// SPDX-License-Identifier: Apache-2.0
// queens.cpp: all ways to place queens: a future for each placement.
// prints: 8 queens: 92 ways

#include <cstdio>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

long place(int n, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == n) return 1;
  std::vector<future<long>> ways;
  for (int i = 0; i < n; ++i) {
    const unsigned bit = 1U << i;
    if (((columns | left | right) & bit) != 0) continue;
    ways.push_back(spawn<place>(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1));
  }
  long sum = 0;
  for (auto& each : ways) sum += each.join();
  return sum;
}

int example(int, char**) {
  std::printf("8 queens: %ld ways\n", place(8, 0, 0, 0, 0));
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
