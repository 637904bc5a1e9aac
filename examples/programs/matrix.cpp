// SPDX-License-Identifier: Apache-2.0
// matrix.cpp: the product of two matrices, by blocks.
// prints: trace 114675000

#include <cstdio>
#include <vector>

#include "terrane/algorithms.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  constexpr int n = 100;
  std::vector<long> a(n * n), b(n * n), c(n * n);
  const auto at = [](int i, int j) { return static_cast<std::size_t>(n * i + j); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a[at(i, j)] = i + j;
      b[at(i, j)] = i - j;
    }
  parallel_for(blocked_range2d<int>(0, n, 16, 0, n, 16), [&](const auto& block) {
    for (int i = block.rows().begin(); i < block.rows().end(); ++i)
      for (int j = block.cols().begin(); j < block.cols().end(); ++j)
        for (int k = 0; k < n; ++k) c[at(i, j)] += a[at(i, k)] * (b[at(k, j)] + 2 * j);
  });
  long trace = 0;
  for (int i = 0; i < n; ++i) trace += c[at(i, i)];
  std::printf("trace %ld\n", trace);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
