// SPDX-License-Identifier: Apache-2.0
// terrane_futures.cpp: producers and consumers as threads of the node around a hand_off. They
// stay on the processor that made them.
#include "bench/queue/kernel.h"
#include "bench/report.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/hand_off.hpp"
#include "terrane/thread/thread.hpp"

using namespace terrane;

static std::uint64_t sum_of(int n) {
  hand_off<std::uint64_t> queue(queue_room);
  std::uint64_t sums[queue_parties] = {};
  thread producers[queue_parties], consumers[queue_parties];
  for (int which = 0; which < queue_parties; ++which) {
    producers[which] = thread::create([&queue, n, which] {
      for (auto item = queue_first(n, which); item < queue_first(n, which + 1); ++item)
        queue.send(item);
    });
    consumers[which] = thread::create([&queue, &mine = sums[which]] {
      std::uint64_t sum = 0;
      while (const auto item = queue.take()) sum += *item;
      mine = sum;
    });
  }
  for (thread& each : producers) each.join();
  queue.close();
  for (thread& each : consumers) each.join();
  std::uint64_t sum = 0;
  for (const std::uint64_t one : sums) sum += one;
  return sum;
}

static int queue_main(int argc, char** argv) {
  char workers[16];
  snprintf(workers, sizeof workers, "%u", processors());
  char* words[] = {argv[0], workers, argc > 1 ? argv[1] : workers};
  const bench_run about = bench_arguments(argc + 1, words, "queue", "terrane_futures", queue_n_max);
  sum_of(queue_n_warm);
  bench::measure(about, queue_known(about.n), [&] { return sum_of(about.n); });
  return 0;
}

int main(int argc, char** argv) { return run<thread_main<queue_main>>(argc, argv); }
