// SPDX-License-Identifier: Apache-2.0
// libfork.cpp: uts with coroutines on libfork's lazy pool.
#include <libfork.hpp>
#include <numeric>
#include <vector>

#include "bench/forks/timed.hpp"
#include "bench/spread.h"
#include "bench/uts/kernel.h"

namespace {

lf::lazy_pool* pool = nullptr;

constexpr auto nodes_below = [](auto nodes_below, int n, uts_node node)
                                 LF_STATIC_CALL -> lf::task<std::uint64_t> {
  const int children = uts_children(n, &node);
  std::vector<std::uint64_t> found(static_cast<std::size_t>(children));
  for (int i = 0; i < children; ++i)
    co_await lf::fork(&found[static_cast<std::size_t>(i)], nodes_below)(n, uts_child(&node, i));
  co_await lf::join;
  co_return std::accumulate(found.begin(), found.end(), std::uint64_t{1});
};

struct uts_problem {
  static constexpr const char* name = "uts";
  static constexpr int n_max = uts_n_max, n_warm = uts_n_warm;
  explicit uts_problem(int which) : n(which) {}
  static bench_known known(int n) { return uts_known(n); }
  void solve() { nodes = lf::sync_wait(*pool, nodes_below, n, uts_root(n)); }
  std::uint64_t answer() const { return nodes; }

  int n;
  std::uint64_t nodes = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const bench_run run = bench::arguments_of<uts_problem>(argc, argv, "libfork");
  lf::lazy_pool workers(static_cast<std::size_t>(run.workers));
  pool = &workers;
  bench::warm_up<uts_problem>();
  bench_spread();
  bench::solve_timed<uts_problem>(run);
}
