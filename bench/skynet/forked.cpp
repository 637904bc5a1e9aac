// SPDX-License-Identifier: Apache-2.0
// forked.cpp: skynet with the forks of a library: compile with -include bench/forks/LIBRARY.hpp.
#include "bench/skynet/kernel.h"

namespace {

std::uint64_t sum_below(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t each = leaves / skynet_children;
  return bench::sum_of(skynet_children, [first, each](int which) {
    return sum_below(first + static_cast<std::uint64_t>(which) * each, each);
  });
}

struct skynet_problem {
  static constexpr const char* name = "skynet";
  static constexpr int n_max = skynet_n_max, n_warm = skynet_n_warm;
  explicit skynet_problem(int levels) : n(levels) {}
  static bench_known known(int n) { return skynet_known(n); }
  void solve() { sum = sum_below(0, skynet_leaves(n)); }
  std::uint64_t answer() const { return sum; }

  int n;
  std::uint64_t sum = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::forked_main<skynet_problem>(argc, argv); }
