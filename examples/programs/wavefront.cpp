// SPDX-License-Identifier: Apache-2.0
// wavefront.cpp: the longest common subsequence, along diagonals.
// prints: longest common subsequence: 4

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "terrane/thread/task_graph.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

int example(int, char**) {
  const std::string a = "AGGTABXX", b = "GXTXAYBZ";
  const std::size_t n = a.size();
  std::vector<int> best((n + 1) * (n + 1));
  std::vector<task_graph::node> cells;
  task_graph graph;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      cells.push_back(graph.add([&, i, j] {
        const auto at = [&](std::size_t row, std::size_t column) -> int& {
          return best[(n + 1) * row + column];
        };
        at(i + 1, j + 1) = a[i] == b[j] ? at(i, j) + 1 : std::max(at(i, j + 1), at(i + 1, j));
      }));
      if (i > 0) graph.precede(cells[n * (i - 1) + j], cells.back());
      if (j > 0) graph.precede(cells[n * i + j - 1], cells.back());
    }
  graph.run();
  std::printf("longest common subsequence: %d\n", best.back());
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
