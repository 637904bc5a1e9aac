// SPDX-License-Identifier: Apache-2.0
// wandering_names_test.cpp: random graphs of activations whose frames are full of names do what
// their plans say, in every world, shape and under every balancer.
#include "terrane/balance/table.hpp"
#include "tests/support/activation_graph.hpp"
#include "tests/support/every_machine.hpp"
#include "tests/support/run_machine.hpp"
#include "tests/support/worlds_to_test.hpp"

namespace terrane {
namespace {

/// One machine of its own for each seed.
run_options graph_machine(std::uint64_t seed) {
  random_stream dice(seed, 99);
  run_options options;
  options.seed = seed;
  const auto rows = worlds_to_test();
  const world_row& world = *rows[dice.below(static_cast<std::uint32_t>(rows.size()))];
  options.world = world.name;
  options.nodes = 1 + static_cast<int>(dice.below(world.simulated ? 24 : 5));
  if (ranks_of_test() != 0) options.nodes = ranks_of_test();
  options.processors = 1 + static_cast<int>(dice.below(3));
  options.balancer = balancers()[dice.below(static_cast<std::uint32_t>(balancers().size()))].name;
  options.enough = static_cast<int>(dice.below(4)) - 1;
  return options;
}

void expect_graphs(std::uint64_t first_seed, std::uint64_t last_seed) {
  for (std::uint64_t seed = first_seed; seed <= last_seed && !testing::Test::HasFailure(); ++seed) {
    const run_options options = graph_machine(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", world " + options.world + ", " +
                 std::to_string(options.nodes) + " x " + std::to_string(options.processors) + ", " +
                 options.balancer);
    const int depth = 3 + static_cast<int>(seed % 3);
    std::uint64_t work = 0;
    const auto outcome = run_machine<graphs::graph>(options, seed, depth, &work);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_EQ(outcome.left.frames, 0u);
    EXPECT_EQ(outcome.tokens_left, 0u);
    EXPECT_EQ(work, graphs::work_of(seed, depth));
  }
}

TEST(wandering_names, reach_their_slots_with_a_hundred_seeds) { expect_graphs(1, 100); }

TEST(long_wandering_names, reach_their_slots_with_two_thousand_seeds) { expect_graphs(101, 2100); }

}  // namespace
}  // namespace terrane
