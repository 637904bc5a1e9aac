// SPDX-License-Identifier: Apache-2.0
// report.hpp: report.h with the clock around a callable, for the C++ benchmarks.
#pragma once

#include <cstdint>
#include <utility>

#include "bench/report.h"

namespace bench {

/// Times one call of `body`, which returns the answer; verifies it, then prints the line.
template <typename Body>
void measure(const bench_run& run, const bench_known& known, Body&& body) {
  const double start = bench_now();
  const std::uint64_t found = std::forward<Body>(body)();
  const double seconds = bench_now() - start;
  bench_report(&run, &known, found, seconds);
}

}  // namespace bench
