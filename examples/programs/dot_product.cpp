// SPDX-License-Identifier: Apache-2.0
// dot_product.cpp: two rows, one number.
// prints: dot product 332833500

#include <cstdio>
#include <vector>

#include "terrane/algorithms.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  std::vector<long> x(1000), y(1000);
  parallel_for(0L, 1000L, [&](long i) { x[static_cast<std::size_t>(i)] = i; });
  terrane::transform(x, y.begin(), [](long v) { return v; });
  std::printf("dot product %ld\n", terrane::transform_reduce(x.begin(), x.end(), y.begin(), 0L));
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
