// SPDX-License-Identifier: Apache-2.0
// sums.cpp: what the outside projects build: futures, messages and a variable that exists once per
// node. It prints the sum of 1 to N, and how many of the machine's copies it reached.
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "terrane/c/node_data.h"
#include "terrane/threads.hpp"

namespace {

TERRANE_NODE_DATA int visits = 0;

void visit(terrane::reply<int> to) { to.send(++TERRANE_NODE_VARIABLE(visits)); }

int program(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100;
  const long sum = terrane::parallel_reduce(0, n, 0L, [](int i) { return i + 1L; }, std::plus<>());
  const std::uint32_t processors = terrane::processors() / terrane::nodes();
  int reached = 0;
  for (std::uint32_t node = 0; node < terrane::nodes(); ++node) {
    int count = 0;
    terrane::this_thread::await([&](terrane::slot_ref done) {
      terrane::post<visit>(node * processors, terrane::reply<int>{{done.raw, &count}});
    });
    reached += count;
  }
  std::printf("sum to %d: %ld, nodes reached: %d\n", n, sum, reached);
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return terrane::run<terrane::thread_main<program>>(argc, argv); }
