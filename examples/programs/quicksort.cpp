// SPDX-License-Identifier: Apache-2.0
// quicksort.cpp: a sort by hand, on spawn. (terrane::sort is the one of the library.)
// prints: sorted: yes

#include <algorithm>
#include <cstdio>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

using spot = std::vector<int>::iterator;

void quicksort(spot first, spot last) {
  if (last - first < 1000) return std::sort(first, last);
  const int pivot = first[(last - first) / 2];
  const spot low = std::partition(first, last, [=](int v) { return v < pivot; });
  const spot high = std::partition(low, last, [=](int v) { return v == pivot; });
  auto left = spawn([=] { quicksort(first, low); });
  quicksort(high, last);
  left.join();
}

int example(int, char**) {
  std::vector<int> all(100'000);
  unsigned seed = 1;
  for (int& each : all) each = static_cast<int>((seed = seed * 1664525 + 1013904223) >> 8);
  quicksort(all.begin(), all.end());
  std::printf("sorted: %s\n", std::is_sorted(all.begin(), all.end()) ? "yes" : "no");
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
