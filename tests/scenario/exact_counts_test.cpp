// SPDX-License-Identifier: Apache-2.0
// exact_counts_test.cpp: under world sim the programs come to their exact answers and counts on 1
// to 256 nodes, under every balancer, with any seed.
//
// Source  Counts that are written out here, not computed: spec, programs, the counts table and
//         sections 1, 2 and 5.
#include <tuple>

#include "terrane/balance/table.hpp"
#include "tests/support/known_programs.hpp"

namespace terrane::programs {
namespace {

class exact_counts : public testing::TestWithParam<std::tuple<int, std::string>> {
 protected:
  static run_options machine(std::uint64_t seed) {
    run_options options;
    options.world = "sim";
    std::tie(options.nodes, options.balancer) = GetParam();
    options.processors = 1;
    options.seed = seed;
    return options;
  }

  static void expect_small_programs(const run_options& options) {
    expect_exactly<fib_main>(known_fib(12), options, {"fib", "12"});
    expect_exactly<queens_main>({"queens(8) = 92\n", 380, 951}, options, {"queens", "8", "3"});
    expect_exactly<knary_main>(known_knary(4, 3, 1), options, {"knary", "4", "3", "1", "20"});
    expect_exactly<reduce_main>(known_reduce(options.nodes), options, {"reduce"});
    expect_exactly<remote_sum_main>(known_remote_sum(), options, {"remote_sum"});
    expect_exactly<matmul_main>({"sum -1 sumsq 169107\n", 8, 26}, options, {"matmul", "64", "8"});
    expect_exactly<barrier_main>(known_barrier(options.nodes, 10), options, {"barrier"});
  }
};

TEST_P(exact_counts, come_out_with_two_seeds) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) expect_small_programs(machine(seed));
}

class long_exact_counts : public exact_counts {};

TEST_P(long_exact_counts, come_out_with_a_hundred_seeds) {
  for (std::uint64_t seed = 1; seed <= 100 && !HasFailure(); ++seed) {
    const run_options options = machine(seed);
    expect_small_programs(options);
    expect_exactly<fib_main>(known_fib(18), options, {"fib", "18"});
    expect_exactly<queens_main>({"queens(10) = 724\n", 3'692, 9'231}, options, {"queens", "10"});
    expect_exactly<queens_main>({"queens(12) = 14200\n", 9'916, 24'791}, options, {"queens"});
    expect_exactly<knary_main>({"knary(7,7,2) = 137257\n", 98'040, 274'516}, options,
                               {"knary", "7", "7", "2", "0"});
    expect_exactly<matmul_main>({"sum -7 sumsq 3785653\n", 16, 50}, options, {"matmul", "256"});
  }
}

TEST_P(long_exact_counts, come_out_where_the_program_is_large) {
  const run_options options = machine(1);
  expect_exactly<fib_main>({"fib(28) = 514229\n", 1'028'456, 1'542'687}, options, {"fib", "28"});
  expect_exactly<fib_main>({"fib(33) = 5702887\n", 11'405'772, 17'108'661}, options, {"fib", "33"});
  expect_exactly<knary_main>({"knary(7,7,2) = 137257\n", 98'040, 274'516}, options, {"knary"});
  expect_exactly<matmul_main>({"sum 8 sumsq 56590332\n", 64, 194}, options,
                              {"matmul", "1024", "16"});
}

std::string shape_name(const testing::TestParamInfo<std::tuple<int, std::string>>& instance) {
  const auto& [nodes, balancer] = instance.param;
  return std::to_string(nodes) + "_nodes_" + balancer;
}

auto every_shape() {
  std::vector<std::string> names;
  for (const auto& each : balancers()) names.emplace_back(each.name);
  return testing::Combine(testing::Values(1, 2, 7, 32, 256), testing::ValuesIn(names));
}

INSTANTIATE_TEST_SUITE_P(sim, exact_counts, every_shape(), shape_name);
INSTANTIATE_TEST_SUITE_P(long_sim, long_exact_counts, every_shape(), shape_name);

}  // namespace
}  // namespace terrane::programs
