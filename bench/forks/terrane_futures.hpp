// SPDX-License-Identifier: Apache-2.0
// terrane_futures.hpp: forks of Terrane: a future for each.
#pragma once

#include "bench/forks/timed.hpp"
#include "terrane/terrane.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/task_group.hpp"
#include "terrane/thread/thread.hpp"

namespace bench {

template <class F, class G>
void both(const F& first, const G& second) {
  auto one = terrane::spawn([&first] { first(); });
  second();
  one.join();
}

/// work(from) to work(count - 1): the first is a future, the others are computed here.
template <class F>
std::uint64_t sum_from(int from, int count, const F& work) {
  if (from == count) return 0;
  auto one = terrane::spawn([&work, from]() -> std::uint64_t { return work(from); });
  const std::uint64_t others = sum_from(from + 1, count, work);
  return one.join() + others;
}

template <class F>
std::uint64_t sum_of(int count, const F& work) {
  return sum_from(0, count, work);
}

using bag = terrane::task_group;

template <class Problem>
int in_thread(int argc, char** argv) {
  char workers[16];
  snprintf(workers, sizeof workers, "%u", terrane::processors());
  char* words[] = {argv[0], workers, argc > 1 ? argv[1] : workers};
  const bench_run run = arguments_of<Problem>(argc + 1, words, "terrane_futures");
  warm_up<Problem>();
  solve_timed<Problem>(run);
  return 0;
}

template <class Problem>
int forked_main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<in_thread<Problem>, 8 << 20>>(argc, argv);
}

}  // namespace bench
