// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: a job that only waits for a timer; prints the share of one core that it used.
#include <sys/resource.h>

#include "bench/report.h"
#include "terrane/terrane.hpp"

using namespace terrane;

namespace {

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

struct idle : threaded<idle> {
  double wall, cpu;
  join timer = on<&idle::report>();

  step start(int argc, char** argv) {
    const int seconds = argc > 1 ? atoi(argv[1]) : 5;
    wall = bench_now();
    cpu = cpu_seconds();
    after(static_cast<std::uint64_t>(seconds) * 1'000'000'000u, timer.one());
    return await(timer);
  }
  step report() {
    printf("%.3f %% of a core\n", 100 * (cpu_seconds() - cpu) / (bench_now() - wall));
    return done;
  }
};

}  // namespace

int main(int argc, char** argv) { return run<idle>(argc, argv); }
