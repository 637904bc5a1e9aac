// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: forks that are plain calls.
#pragma once

#include "bench/forks/timed.hpp"

namespace bench {

template <class F, class G>
void both(const F& first, const G& second) {
  first();
  second();
}

/// The sum of work(0) to work(count - 1).
template <class F>
std::uint64_t sum_of(int count, const F& work) {
  std::uint64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += work(i);
  return sum;
}

/// Tasks that nobody waits for one by one.
class bag {
 public:
  template <class F>
  void run(const F& task) {
    task();
  }
  void wait() {}
};

template <class Problem>
int forked_main(int argc, char** argv) {
  const bench_run run = arguments_of<Problem>(argc, argv, "sequential");
  warm_up<Problem>();
  solve_timed<Problem>(run);
  return 0;
}

}  // namespace bench
