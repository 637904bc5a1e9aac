// SPDX-License-Identifier: Apache-2.0
// hop.cpp: how long one cache line takes from one core to another, in ns one way.
//
// Purpose     The machine's speed drifts: each figure is read beside the hop of its round.
// Method      Two threads pinned to the first two allowed processors pass a counter back and forth
//             on one line. The fastest of the batches counts: the others met a context switch.
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "bench/report.h"

namespace {

constexpr int batches = 20;
constexpr int round_trips = 5'000;

// While the counter is even, the caller writes next; while it is odd, the echo does. Each side's
// acquire load pairs with the other side's release store.
struct alignas(64) line {
  std::atomic<int> turn{0};
};

std::vector<int> allowed_processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<int> processors;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return processors;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &allowed)) processors.push_back(i);
  return processors;
}

void pin_to(int processor) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  if (pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0) return;
  std::fprintf(stderr, "hop: cannot pin a thread to processor %d\n", processor);
  std::exit(1);
}

void await(const std::atomic<int>& turn, int value) {
  while (turn.load(std::memory_order_acquire) != value) {}
}

}  // namespace

int main() {
  const std::vector<int> processors = allowed_processors();
  if (processors.size() < 2) {
    std::fprintf(stderr, "hop: needs two processors, this machine allows %zu\n", processors.size());
    return 1;
  }

  constexpr int turns = 2 * batches * round_trips;
  line shared;
  std::thread echo([&] {
    pin_to(processors[1]);
    for (int i = 1; i < turns; i += 2) {
      await(shared.turn, i);
      shared.turn.store(i + 1, std::memory_order_release);
    }
  });

  pin_to(processors[0]);
  double fastest = std::numeric_limits<double>::max();
  int turn = 0;
  for (int batch = 0; batch < batches; ++batch) {
    const double start = bench_now();
    for (int i = 0; i < round_trips; ++i) {
      shared.turn.store(turn + 1, std::memory_order_release);
      await(shared.turn, turn + 2);
      turn += 2;
    }
    fastest = std::min(fastest, bench_now() - start);
  }
  echo.join();
  std::printf("%.1f\n", fastest * 1e9 / (2.0 * round_trips));
}
