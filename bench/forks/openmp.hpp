// SPDX-License-Identifier: Apache-2.0
// openmp.hpp: forks of OpenMP: libgomp under g++, libomp under clang++.
#pragma once

#include <alloca.h>
#include <omp.h>

#include "bench/forks/timed.hpp"
#include "bench/spread.h"

namespace bench {

template <class F, class G>
void both(const F& first, const G& second) {
#pragma omp task default(none) shared(first)
  first();
  second();
#pragma omp taskwait
}

template <class F>
std::uint64_t sum_of(int count, const F& work) {
  if (count == 0) return 0;
  auto* const found = static_cast<std::uint64_t*>(alloca(count * sizeof(std::uint64_t)));
  for (int i = 0; i < count; ++i) {
#pragma omp task default(none) shared(work) firstprivate(found, i)
    found[i] = work(i);
  }
#pragma omp taskwait
  std::uint64_t sum = 0;
  for (int i = 0; i < count; ++i) sum += found[i];
  return sum;
}

/// Tasks that nobody waits for one by one.
class bag {
 public:
  template <class F>
  void run(const F& task) {
#pragma omp task default(none) firstprivate(task)
    task();
  }
};

template <class F>
void run_all(bag&, const F& first) {
#pragma omp taskgroup
  first();
}

template <class Problem>
int forked_main(int argc, char** argv) {
  const bench_run run = arguments_of<Problem>(argc, argv, "openmp");
  omp_set_num_threads(run.workers);
#pragma omp parallel
#pragma omp single
  warm_up<Problem>();
  bench_spread();
#pragma omp parallel
#pragma omp single
  solve_timed<Problem>(run);
  return 0;
}

}  // namespace bench
