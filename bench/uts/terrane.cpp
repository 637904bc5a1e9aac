// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: uts in EARTH style, every node a token, through the C++ API.
#include <numeric>
#include <vector>

#include "bench/forks/terrane_tokens.hpp"
#include "bench/uts/kernel.h"

template <>
inline constexpr bool terrane::position_independent<uts_node> = true;

using namespace terrane;

namespace {

struct nodes_below : threaded<nodes_below> {
  reply<long> out;
  std::vector<long>* found;
  join all = on<&nodes_below::sum>();

  step start(int n, uts_node node, reply<long> to) {
    const int children = uts_children(n, &node);
    if (children == 0) {
      to.send(1);
      return done;
    }
    out = to;
    found = new std::vector<long>(static_cast<std::size_t>(children));
    int which = 0;
    for (long& into : *found) spawn<nodes_below>(n, uts_child(&node, which++), all.into(into));
    return await(all);
  }
  step sum() {
    out.send(std::accumulate(found->begin(), found->end(), 1L));
    delete found;
    return done;
  }
};

struct uts_problem {
  static constexpr const char* name = "uts";
  static constexpr int n_max = uts_n_max, n_warm = uts_n_warm;
  explicit uts_problem(int which) : n(which) {}
  static bench_known known(int n) { return uts_known(n); }
  using root = nodes_below;
  auto start_values() const { return std::tuple(n, uts_root(n)); }

  int n;
};

}  // namespace

int main(int argc, char** argv) { return run<bench::token_main<uts_problem>>(argc, argv); }
