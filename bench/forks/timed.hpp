// SPDX-License-Identifier: Apache-2.0
// timed.hpp: what every way to fork does around a problem: its arguments, its warm-up, the clock.
//
// Problem     A type with `name`, `n_max` and `n_warm`, made from n; `solve()` is timed, then
//             `answer()` is compared with `known()`.
#pragma once

#include "bench/report.hpp"

namespace bench {

template <class Problem>
bench_run arguments_of(int argc, char** argv, const char* library) {
  return bench_arguments(argc, argv, Problem::name, library, Problem::n_max);
}

/// As a Problem of the warm-up's size.
template <class Problem>
void warm_up() {
  Problem small(Problem::n_warm);
  small.solve();
}

template <class Problem>
void solve_timed(const bench_run& run) {
  const bench_known known = Problem::known(run.n);
  Problem whole(run.n);
  const double start = bench_now();
  whole.solve();
  const double seconds = bench_now() - start;
  bench_report(&run, &known, whole.answer(), seconds);
}

/// Runs a task, and returns when it and all that its tasks made have ended. OpenMP has its own.
template <class Bag, class F>
void run_all(Bag& tasks, const F& first) {
  tasks.run(first);
  tasks.wait();
}

}  // namespace bench
