// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: fib in EARTH style, every call a token, through the C++ API.
#include "terrane/terrane.hpp"
#include "bench/fib/known.h"
#include "bench/report.hpp"

using namespace terrane;

namespace {

struct fib : threaded<fib> {
  reply<long> out;
  long x, y;
  join both = on<&fib::sum>();

  static bool leaf(int n, reply<long> to) {
    if (n > 1) return false;
    to.send(1);
    return true;
  }
  step start(int n, reply<long> to) {
    out = to;
    spawn<fib>(n - 1, both.into(x));
    spawn<fib>(n - 2, both.into(y));
    return await<&fib::sum>(both);
  }
  step sum() {
    out.send(x + y);
    return done;
  }
};

struct fib_bench : threaded<fib_bench> {
  bench_run about;
  long found;
  double begun;
  join warm = on<&fib_bench::measure>(), answer = on<&fib_bench::report>();

  step start(int argc, char** argv) {
    char workers[16];
    snprintf(workers, sizeof workers, "%u", processors());
    char* words[] = {argv[0], workers, argc > 1 ? argv[1] : workers};
    about = bench_arguments(argc + 1, words, "fib", "terrane", fib_n_max);
    spawn<fib>(fib_n_warm, warm.into(found));
    return await(warm);
  }
  step measure() {
    begun = bench_now();
    spawn<fib>(about.n, answer.into(found));
    return await(answer);
  }
  step report() {
    const double seconds = bench_now() - begun;
    const bench_known known = fib_known(about.n);
    bench_report(&about, &known, static_cast<std::uint64_t>(found), seconds);
    return done;
  }
};

}  // namespace

int main(int argc, char** argv) { return run<fib_bench>(argc, argv); }
