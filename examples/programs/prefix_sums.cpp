// SPDX-License-Identifier: Apache-2.0
// prefix_sums.cpp: running sums, and where a sum passes a limit.
// prints: the sum passes 1000000 at 1413

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "terrane/algorithms.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  std::vector<long> all(10'000);
  std::iota(all.begin(), all.end(), 1);
  terrane::inclusive_scan(all.begin(), all.end(), all.begin());
  const auto place = terrane::find_if(all.begin(), all.end(), [](long v) { return v > 1'000'000; });
  std::printf("the sum passes 1000000 at %td\n", place - all.begin());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
