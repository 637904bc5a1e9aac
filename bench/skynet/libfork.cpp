// SPDX-License-Identifier: Apache-2.0
// libfork.cpp: skynet with coroutines on libfork's lazy pool.
#include <libfork.hpp>

#include "bench/forks/timed.hpp"
#include "bench/skynet/kernel.h"
#include "bench/spread.h"

namespace {

lf::lazy_pool* pool = nullptr;

constexpr auto sum_below = [](auto sum_below, std::uint64_t first, std::uint64_t leaves)
                               LF_STATIC_CALL -> lf::task<std::uint64_t> {
  if (leaves == 1) co_return first;
  const std::uint64_t each = leaves / skynet_children;
  std::uint64_t found[skynet_children];
  for (std::uint64_t i = 0; i < skynet_children; ++i)
    co_await lf::fork(&found[i], sum_below)(first + i * each, each);
  co_await lf::join;
  std::uint64_t sum = 0;
  for (const std::uint64_t one : found) sum += one;
  co_return sum;
};

struct skynet_problem {
  static constexpr const char* name = "skynet";
  static constexpr int n_max = skynet_n_max, n_warm = skynet_n_warm;
  explicit skynet_problem(int levels) : n(levels) {}
  static bench_known known(int n) { return skynet_known(n); }
  void solve() { sum = lf::sync_wait(*pool, sum_below, std::uint64_t{0}, skynet_leaves(n)); }
  std::uint64_t answer() const { return sum; }

  int n;
  std::uint64_t sum = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const bench_run run = bench::arguments_of<skynet_problem>(argc, argv, "libfork");
  lf::lazy_pool workers(static_cast<std::size_t>(run.workers));
  pool = &workers;
  bench::warm_up<skynet_problem>();
  bench_spread();
  bench::solve_timed<skynet_problem>(run);
}
