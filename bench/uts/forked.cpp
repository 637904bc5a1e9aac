// SPDX-License-Identifier: Apache-2.0
// forked.cpp: uts with the forks of a library: compile with -include bench/forks/LIBRARY.hpp.
#include "bench/uts/kernel.h"

namespace {

std::uint64_t nodes_below(int n, const uts_node& node) {
  return 1 + bench::sum_of(uts_children(n, &node), [n, &node](int which) {
           return nodes_below(n, uts_child(&node, which));
         });
}

struct uts_problem {
  static constexpr const char* name = "uts";
  static constexpr int n_max = uts_n_max, n_warm = uts_n_warm;
  explicit uts_problem(int which) : n(which) {}
  static bench_known known(int n) { return uts_known(n); }
  void solve() { nodes = nodes_below(n, uts_root(n)); }
  std::uint64_t answer() const { return nodes; }

  int n;
  std::uint64_t nodes = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::forked_main<uts_problem>(argc, argv); }
