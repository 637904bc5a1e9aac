// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: skynet in EARTH style, every node a token, through the C++ API.
#include "bench/forks/terrane_tokens.hpp"
#include "bench/skynet/kernel.h"

using namespace terrane;

namespace {

struct sum_below : threaded<sum_below> {
  reply<long> out;
  long found[skynet_children];
  join all = on<&sum_below::sum>();

  step start(long first, long leaves, reply<long> to) {
    if (leaves == 1) {
      to.send(first);
      return done;
    }
    out = to;
    const long each = leaves / skynet_children;
    for (int i = 0; i < skynet_children; ++i)
      spawn<sum_below>(first + i * each, each, all.into(found[i]));
    return await(all);
  }
  step sum() {
    long sum = 0;
    for (const long one : found) sum += one;
    out.send(sum);
    return done;
  }
};

struct skynet_problem {
  static constexpr const char* name = "skynet";
  static constexpr int n_max = skynet_n_max, n_warm = skynet_n_warm;
  explicit skynet_problem(int levels) : leaves(static_cast<long>(skynet_leaves(levels))) {}
  static bench_known known(int n) { return skynet_known(n); }
  using root = sum_below;
  auto start_values() const { return std::tuple(0L, leaves); }

  long leaves;
};

}  // namespace

int main(int argc, char** argv) { return run<bench::token_main<skynet_problem>>(argc, argv); }
