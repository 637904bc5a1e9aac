// SPDX-License-Identifier: Apache-2.0
// wandering_ends_test.cpp: random networks of threads and ends that move, seed by seed.
// (tests/planted builds it with errors planted, which it must find.)
#include <string>

#include "tests/support/storm_root.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

void expect_calm(const std::string& world, std::uint64_t seed, int nodes_max) {
  const run_options options = storms::machine_of(world, seed, nodes_max);
  using storms::storm_root;
  int sum = -1;
  const auto outcome = run_machine<storm_root>(options, &sum, seed, world != "local");
  EXPECT_EQ(sum, 0) << "seed " << seed;
  EXPECT_FALSE(outcome.deadlock) << "seed " << seed << "\n" << describe_deadlock(outcome.left);
  EXPECT_EQ(outcome.left.frames, 0u) << "seed " << seed;
}

void expect_calm_seeds(const std::string& world, std::uint64_t first, std::uint64_t count,
                       int nodes_max) {
  for (std::uint64_t seed = first; seed != first + count; ++seed) {
    expect_calm(world, seed, nodes_max);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(storm_of_ends, loses_nothing_under_sim_with_faults) { expect_calm_seeds("sim", 1, 100, 6); }
TEST(storm_of_ends, loses_nothing_among_threads) { expect_calm_seeds("local", 1, 20, 3); }
TEST(storm_of_ends, loses_nothing_among_processes) { expect_calm_seeds("shm", 1, 10, 3); }

TEST(long_storm_of_ends, loses_nothing_in_a_thousand_seeds) {
  expect_calm_seeds("sim", 1000, 1000, 8);
  expect_calm_seeds("local", 1000, 100, 4);
  expect_calm_seeds("shm", 1000, 50, 4);
}

}  // namespace
}  // namespace terrane
