// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <tuple>

#include "tests/support/run_machine.hpp"

namespace terrane {
namespace {

struct fib : threaded<fib> {
  reply<long> out;
  long x, y;
  join both = on<&fib::sum>();

  step start(int n, reply<long> to) {
    if (n <= 1) {
      to.send(1);
      return done;
    }
    out = to;
    spawn<fib>(n - 1, both.into(x));
    spawn<fib>(n - 2, both.into(y));
    return await(both);
  }
  step sum() {
    out.send(x + y);
    return done;
  }
};

struct fib_root : threaded<fib_root> {
  long* result;
  join answer = on<&fib_root::finish>();
  step start(int n, long* to) {
    result = to;
    invoke<fib>(0, n, answer.into(*result));
    return await(answer);
  }
  step finish() { return done; }
};

using shape = std::tuple<int, int, std::string, int>;  // nodes, processors, balancer, enough
class every_machine : public testing::TestWithParam<shape> {};

TEST_P(every_machine, counts_every_token_and_fiber_of_fib_exactly) {
  const auto& [nodes, processors, balancer, enough] = GetParam();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    long result = 0;
    const auto outcome = run_machine<fib_root>({.nodes = nodes,
                                                .processors = processors,
                                                .balancer = balancer,
                                                .seed = seed,
                                                .enough = enough},
                                               20, &result);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(result, 10946);
    EXPECT_EQ(outcome.statistics.tokens_generated, 2u * 10946 - 2);
    EXPECT_EQ(outcome.statistics.fibers_executed, 3u * 10946);
    EXPECT_EQ(outcome.left.frames, 0u);
    EXPECT_EQ(outcome.tokens_left, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(local, every_machine,
                         testing::Combine(testing::Values(1, 2, 4, 7), testing::Values(1, 2),
                                          testing::Values("nop", "minima", "spn", "rand"),
                                          testing::Values(-1, 0, node_view::enough_all)));

}  // namespace
}  // namespace terrane
