// SPDX-License-Identifier: Apache-2.0
// mergesort.cpp: futures that take and return vectors.
// prints: first 0, last 9999

#include <algorithm>
#include <cstdio>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

using numbers = std::vector<int>;

numbers sorted(numbers all) {
  if (all.size() < 500) {
    std::sort(all.begin(), all.end());
    return all;
  }
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  auto upper = spawn<sorted>(numbers(middle, all.end()));
  const numbers lower = sorted(numbers(all.begin(), middle));
  const numbers other = upper.join();
  std::merge(lower.begin(), lower.end(), other.begin(), other.end(), all.begin());
  return all;
}

int example(int, char**) {
  numbers all;
  for (int i = 0; i < 10'000; ++i) all.push_back(i * 7919 % 10'000);
  const numbers found = sorted(all);
  std::printf("first %d, last %d\n", found.front(), found.back());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
