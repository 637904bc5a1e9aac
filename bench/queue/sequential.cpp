// SPDX-License-Identifier: Apache-2.0
// sequential.cpp: the items of queue through a queue without threads, as many as it holds at once.
#include <deque>

#include "bench/queue/kernel.h"
#include "bench/report.hpp"

static std::uint64_t sum_of(int n) {
  std::deque<std::uint64_t> queue;
  std::uint64_t sum = 0;
  const auto take_all = [&] {
    for (; !queue.empty(); queue.pop_front()) sum += queue.front();
  };
  for (std::uint64_t item = 0; item < queue_first(n, queue_parties); ++item) {
    queue.push_back(item);
    if (queue.size() == queue_room) take_all();
  }
  take_all();
  return sum;
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "queue", "sequential", queue_n_max);
  sum_of(queue_n_warm);
  bench::measure(run, queue_known(run.n), [&] { return sum_of(run.n); });
}
