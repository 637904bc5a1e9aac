// SPDX-License-Identifier: Apache-2.0
// bounding_search.cpp: a knapsack: branches that cannot win are cut.
// prints: best value 2247

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

struct item {
  int weight, value;
};
std::vector<item> items;
std::atomic<int> best{0};

void search(std::size_t next, int room, int value, int rest) {
  int known = best;
  while (value > known && !best.compare_exchange_weak(known, value)) {}
  if (next == items.size() || value + rest <= best) return;  // the rest cannot win
  const item one = items[next];
  const auto without = [=] { search(next + 1, room, value, rest - one.value); };
  if (one.weight > room) return without();
  const auto with = [=] {
    search(next + 1, room - one.weight, value + one.value, rest - one.value);
  };
  invoke(with, without);
}

int example(int, char**) {
  int rest = 0;
  for (int i = 1; i <= 24; ++i) {
    items.push_back({10 + i * 37 % 50, 100 + i * 53 % 90});
    rest += items.back().value;
  }
  std::sort(items.begin(), items.end(), [](const item& one, const item& other) {
    return one.value * other.weight > other.value * one.weight;
  });
  search(0, 400, 0, rest);
  std::printf("best value %d\n", best.load());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
