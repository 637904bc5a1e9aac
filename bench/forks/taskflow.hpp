// SPDX-License-Identifier: Apache-2.0
// taskflow.hpp: forks of Taskflow: a TaskGroup for each.
#pragma once

#include <alloca.h>
#include <taskflow/taskflow.hpp>

#include "bench/forks/timed.hpp"
#include "bench/spread.h"

namespace bench {

inline tf::Executor* executor = nullptr;

template <class F, class G>
void both(const F& first, const G& second) {
  tf::TaskGroup group = executor->task_group();
  group.silent_async([&first] { first(); });
  second();
  group.corun();
}

template <class F>
std::uint64_t sum_of(int count, const F& work) {
  if (count == 0) return 0;
  auto* const found = static_cast<std::uint64_t*>(alloca(count * sizeof(std::uint64_t)));
  tf::TaskGroup group = executor->task_group();
  for (int i = 0; i < count; ++i)
    group.silent_async([&into = found[i], &work, i] { into = work(i); });
  group.corun();
  std::uint64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += found[i];
  return sum;
}

/// Tasks of the executor itself: a TaskGroup takes tasks of the worker alone that made it.
class bag {
 public:
  template <class F>
  void run(const F& task) {
    left_.fetch_add(1, std::memory_order_relaxed);
    executor->silent_async([this, task] {
      task();
      left_.fetch_sub(1, std::memory_order_acq_rel);
    });
  }
  void wait() {
    executor->corun_until([this] { return left_.load(std::memory_order_acquire) == 0; });
  }

 private:
  std::atomic<long> left_{0};  // tasks that have not ended
};

template <class Problem>
int forked_main(int argc, char** argv) {
  const bench_run run = arguments_of<Problem>(argc, argv, "taskflow");
  tf::Executor workers(static_cast<std::size_t>(run.workers));
  executor = &workers;
  workers.async(warm_up<Problem>).get();
  bench_spread();
  workers.async([&] { solve_timed<Problem>(run); }).get();
  return 0;
}

}  // namespace bench
