// SPDX-License-Identifier: Apache-2.0
// terrane_tokens.hpp: what the programs in EARTH style do around a problem: a root that warms up,
// starts the clock, and reports.
#pragma once

#include <tuple>

#include "bench/forks/timed.hpp"
#include "terrane/terrane.hpp"

namespace bench {

/// Problem: as in timed.hpp, but its `root` is spawned, with its `start_values()` and a reply for
/// the answer.
template <class Problem>
struct token_main : terrane::threaded<token_main<Problem>> {
  using self = token_main;
  bench_run about;
  Problem *small, *whole;
  long found;
  double begun;
  terrane::join warm = self::template on<&self::measure>();
  terrane::join answer = self::template on<&self::report>();

  terrane::step start(int argc, char** argv) {
    char workers[16];
    snprintf(workers, sizeof workers, "%u", terrane::processors());
    char* words[] = {argv[0], workers, argc > 1 ? argv[1] : workers};
    about = arguments_of<Problem>(argc + 1, words, "terrane");
    small = new Problem(Problem::n_warm);
    begin(*small, warm.into(found));
    return this->await(warm);
  }
  terrane::step measure() {
    delete small;
    whole = new Problem(about.n);
    begun = bench_now();
    begin(*whole, answer.into(found));
    return this->await(answer);
  }
  void begin(const Problem& of, terrane::reply<long> to) {
    std::apply([&](auto... values) { self::template spawn<typename Problem::root>(values..., to); },
               of.start_values());
  }
  terrane::step report() {
    const double seconds = bench_now() - begun;
    delete whole;
    const bench_known known = Problem::known(about.n);
    bench_report(&about, &known, static_cast<std::uint64_t>(found), seconds);
    return this->done;
  }
};

}  // namespace bench
