// SPDX-License-Identifier: Apache-2.0
// onetbb.hpp: forks of oneTBB: a task_group for each.
#pragma once

#include <alloca.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "bench/forks/timed.hpp"
#include "bench/spread.h"

namespace bench {

template <class F, class G>
void both(const F& first, const G& second) {
  tbb::task_group group;
  group.run([&first] { first(); });
  second();
  group.wait();
}

template <class F>
std::uint64_t sum_of(int count, const F& work) {
  if (count == 0) return 0;
  auto* const found = static_cast<std::uint64_t*>(alloca(count * sizeof(std::uint64_t)));
  tbb::task_group group;
  for (int i = 0; i < count; ++i) group.run([&into = found[i], &work, i] { into = work(i); });
  group.wait();
  std::uint64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += found[i];
  return sum;
}

using bag = tbb::task_group;

template <class Problem>
int forked_main(int argc, char** argv) {
  const bench_run run = arguments_of<Problem>(argc, argv, "onetbb");
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(run.workers));
  tbb::task_arena arena(run.workers);
  arena.execute(warm_up<Problem>);
  bench_spread();
  arena.execute([&] { solve_timed<Problem>(run); });
  return 0;
}

}  // namespace bench
