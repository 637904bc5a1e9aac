// SPDX-License-Identifier: Apache-2.0
// dining_philosophers.cpp: two locks at a time, without a deadlock.
// prints: 5 philosophers ate 500 times

#include <array>
#include <cstdio>
#include <mutex>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  constexpr std::size_t seats = 5;
  std::array<mutex, seats> forks;
  std::array<int, seats> meals{};
  {
    std::vector<thread> philosophers;
    for (std::size_t i = 0; i < seats; ++i)
      philosophers.emplace_back([&, i] {
        for (int meal = 0; meal < 100; ++meal) {
          const std::scoped_lock both(forks[i], forks[(i + 1) % seats]);
          this_thread::yield();
          ++meals[i];
        }
      });
  }  // joined here
  int all = 0;
  for (const int each : meals) all += each;
  std::printf("%zu philosophers ate %d times\n", seats, all);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
