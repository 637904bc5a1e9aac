// SPDX-License-Identifier: Apache-2.0
// heat.cpp: threads that meet after each step.
// prints: after 400 steps the middle has 79.3

#include <array>
#include <cstdio>
#include <utility>
#include <vector>

#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  constexpr int cells = 34, workers = 4, of_each = (cells - 2) / workers;
  std::array<std::array<double, cells>, 2> rod{};
  rod[0].front() = rod[1].front() = rod[0].back() = rod[1].back() = 100;
  meeting all(workers);
  {
    std::vector<thread> threads;
    for (int w = 0; w < workers; ++w)
      threads.emplace_back([&, w] {
        for (std::size_t step = 0; step < 400; ++step) {
          const auto& now = rod[step % 2];
          auto& next = rod[(step + 1) % 2];
          for (int i = 1 + w * of_each; i < 1 + (w + 1) * of_each; ++i) {
            const auto at = static_cast<std::size_t>(i);
            next[at] = (now[at - 1] + now[at + 1]) / 2;
          }
          all.arrive_and_wait();
        }
      });
  }
  std::printf("after 400 steps the middle has %.1f\n", rod[0][cells / 2]);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
