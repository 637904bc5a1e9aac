// SPDX-License-Identifier: Apache-2.0
// wandering_ends_test.cpp: random networks of threads and ends that move, seed by seed.
#include <array>
#include <string>

#include "terrane/balance/table.hpp"
#include "tests/support/storm_of_ends.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

/// The root: runs the network of a seed in a thread, and writes what it came to.
struct storm_root : threaded<storm_root> {
  thread running;
  join over = on<&storm_root::finish>();
  step start(int* sum, std::uint64_t seed) {
    charge(storms::step_work, 0);
    running = thread::create({.name = "storm"}, [=] { *sum = storms::network(seed).run(); });
    running.signal_at_end(over.one());
    return await(over);
  }
  step finish() {
    charge(storms::step_work, 0);
    running.join();
    return done;
  }
};

/// Everything but the world is drawn from the seed.
void expect_calm(const std::string& world, std::uint64_t seed, int nodes_max) {
  random_stream dice(seed, 7);
  run_options options;
  options.world = world;
  options.nodes = 1 + static_cast<int>(dice.below(static_cast<std::uint32_t>(nodes_max)));
  options.processors = 1 + static_cast<int>(dice.below(2));
  options.seed = seed;
  constexpr std::array balancers{"rand", "spn", "dual", "his", "nop", "adaptive"};
  options.balancer = balancers[dice.below(balancers.size())];
  if (world == "sim") {
    const auto rate = [&](double most) { return dice.below(3) == 0 ? most : 0; };
    options.faults.delay = rate(0.3);
    options.faults.heavy = rate(0.05);
    options.faults.reorder = rate(0.5);
    options.faults.slow = rate(0.3);
    options.faults.pause = rate(0.01);
    options.faults.late = rate(0.3);
  }
  int sum = -1;
  const auto outcome = run_machine<storm_root>(options, &sum, seed);
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
