// SPDX-License-Identifier: Apache-2.0
// rows.hpp: the work of each construct, the same for both libraries, and the line it prints.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "bench/report.h"

namespace bench {

inline constexpr int row_rounds = 15;  // each some milliseconds, so that the least is undisturbed
inline constexpr long elements = 1 << 18, sorted = 1 << 15, empty_tasks = 20'000, items = 5'000;
inline constexpr int side = 100;  // of the graph's wavefront

inline void fail_if(bool wrong, const char* what) {
  if (!wrong) return;
  std::fprintf(stderr, "wrong answer: %s\n", what);
  std::exit(1);
}

/// Prints `construct,ns`: the least time of `count` operations by their number. prepare() is not
/// timed.
template <class Prepare, class Body>
void row(const char* construct, long count, const Prepare& prepare, const Body& body) {
  double least = 1e300;
  for (int i = 0; i < row_rounds; ++i) {
    prepare();
    const double start = bench_now();
    body();
    least = std::min(least, bench_now() - start);
  }
  std::printf("%s,%.3f\n", construct, least * 1e9 / static_cast<double>(count));
}
template <class Body>
void row(const char* construct, long count, const Body& body) {
  row(construct, count, [] {}, body);
}

inline std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}
inline std::vector<std::uint64_t> numbers(long count) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = mixed(i + 1);
  return all;
}

/// The work of an item in the stage of the pipeline that is parallel: some 200 ns.
inline std::uint64_t item_work(std::uint64_t x) {
  for (int i = 0; i < 60; ++i) x = mixed(x);
  return x;
}

}  // namespace bench
