// SPDX-License-Identifier: Apache-2.0
// mandelbrot.cpp: a picture in blocks of two dimensions.
// prints: 1288 points of 60 x 100 stay

#include <complex>
#include <cstdio>
#include <vector>

#include "terrane/algorithms.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

bool stays(std::complex<double> c) {
  std::complex<double> z;
  for (int i = 0; i < 200; ++i) {
    z = z * z + c;
    if (std::norm(z) > 4) return false;
  }
  return true;
}

int example(int, char**) {
  constexpr int rows = 60, columns = 100;
  std::vector<char> picture(rows * columns);
  parallel_for(blocked_range2d<int>(0, rows, 0, columns), [&](const auto& block) {
    for (int i = block.rows().begin(); i < block.rows().end(); ++i)
      for (int j = block.cols().begin(); j < block.cols().end(); ++j)
        picture[static_cast<std::size_t>(columns * i + j)] =
            stays({-2 + 3.0 * j / columns, -1.2 + 2.4 * i / rows});
  });
  const auto inside = terrane::count_if(picture.begin(), picture.end(), [](char v) { return v; });
  std::printf("%zu points of %d x %d stay\n", inside, rows, columns);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
