// SPDX-License-Identifier: Apache-2.0
// nbody.cpp: bodies that attract one another: the momentum stays.
// prints: momentum 0.000000

#include <cmath>
#include <cstdio>
#include <vector>

#include "terrane/algorithms.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

struct body {
  double x, y, vx, vy;
};

int example(int, char**) {
  constexpr int many = 60;
  std::vector<body> all;
  for (int i = 0; i < many; ++i) all.push_back({std::cos(i * 1.0), std::sin(i * 2.0), 0, 0});
  for (int step = 0; step < 10; ++step) {
    parallel_for(0, many, [&](int i) {
      body& mine = all[static_cast<std::size_t>(i)];
      for (const body& other : all) {
        const double dx = other.x - mine.x, dy = other.y - mine.y;
        const double r = dx * dx + dy * dy + 0.01;
        mine.vx += 1e-4 * dx / (r * std::sqrt(r));
        mine.vy += 1e-4 * dy / (r * std::sqrt(r));
      }
    });
    terrane::for_each(all, [](body& each) {
      each.x += each.vx;
      each.y += each.vy;
    });
  }
  const double momentum = terrane::transform_reduce(all.begin(), all.end(), 0.0, std::plus<>(),
                                                    [](const body& each) { return each.vx; });
  std::printf("momentum %.6f\n", std::abs(momentum));
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
