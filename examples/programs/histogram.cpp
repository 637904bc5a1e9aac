// SPDX-License-Identifier: Apache-2.0
// histogram.cpp: counts that all processors add to.
// prints: 10 buckets of 10000

#include <array>
#include <atomic>
#include <cstdio>

#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  std::array<std::atomic<int>, 10> buckets{};
  parallel_for(0, 100'000, [&](int i) { ++buckets[static_cast<std::size_t>(i * 7L % 10)]; });
  bool even = true;
  for (const auto& each : buckets) even = even && each == 10'000;
  std::printf("%zu buckets of %s\n", buckets.size(), even ? "10000" : "different sizes");
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
