// SPDX-License-Identifier: Apache-2.0
// onetbb.cpp: producers and consumers as threads around oneTBB's concurrent_bounded_queue.
#include <oneapi/tbb/concurrent_queue.h>

#include <atomic>
#include <thread>
#include <vector>

#include "bench/queue/kernel.h"
#include "bench/report.hpp"

static constexpr std::uint64_t no_more = ~std::uint64_t{0};

static std::uint64_t sum_of(int n) {
  tbb::concurrent_bounded_queue<std::uint64_t> queue;
  queue.set_capacity(queue_room);
  std::atomic<std::uint64_t> sum{0};
  std::vector<std::thread> producers, consumers;
  for (int which = 0; which < queue_parties; ++which) {
    producers.emplace_back([&queue, n, which] {
      for (auto item = queue_first(n, which); item < queue_first(n, which + 1); ++item)
        queue.push(item);
    });
    consumers.emplace_back([&queue, &sum] {
      std::uint64_t mine = 0, item = 0;
      for (queue.pop(item); item != no_more; queue.pop(item)) mine += item;
      sum += mine;
    });
  }
  for (std::thread& each : producers) each.join();
  for (int i = 0; i < queue_parties; ++i) queue.push(no_more);
  for (std::thread& each : consumers) each.join();
  return sum;
}

int main(int argc, char** argv) {
  const bench_run run = bench_arguments(argc, argv, "queue", "onetbb", queue_n_max);
  queue_confine(run.workers);
  sum_of(queue_n_warm);
  bench::measure(run, queue_known(run.n), [&] { return sum_of(run.n); });
}
