// SPDX-License-Identifier: Apache-2.0
// rare_branches_test.cpp: with its rare branches made common the runtime counts exactly as ever,
// repeats itself, and takes every one of them.
#include <map>

#include "programs/fib/fib.hpp"
#include "programs/knary/knary.hpp"
#include "programs/queens/queens.hpp"
#include "terrane/base/random.hpp"
#include "terrane/base/rare.hpp"
#include "terrane/transport/sim_statistics.hpp"
#include "tests/support/run_program.hpp"

namespace terrane {
namespace {

using namespace programs;

using probe_counts = std::map<std::string, std::uint64_t>;

/// A machine drawn from the seed, with its rare branches common.
run_options some_machine(const std::string& world, std::uint64_t seed) {
  random_stream dice(seed, 0x72617265u);
  constexpr const char* balancers[] = {"nop", "minima", "spn", "rand"};
  run_options options;
  options.world = world;
  options.seed = seed;
  options.nodes = 1 + static_cast<int>(dice.below(world == "sim" ? 16 : 4));
  options.processors = 1 + static_cast<int>(dice.below(2));
  options.balancer = balancers[dice.below(4)];
  if (dice.below(2) == 0) options.enough = static_cast<int>(dice.below(5));
  options.faults.rare = 0.01 * (1 + dice.below(50));
  return options;
}

/// One program on that machine: what it must do, and what it adds to the probes.
void run_exactly(const run_options& options, probe_counts& probes) {
  SCOPED_TRACE("world " + options.world + ", seed " + std::to_string(options.seed) + ", rare " +
               std::to_string(options.faults.rare));
  const auto run = [&]<class Main>(const known_run& known, const std::vector<std::string>& words) {
    const run_statistics of_run = expect_exactly<Main>(known, options, words);
    for (const rare_probe& each : of_run.of_world.probes) probes[each.name] += each.count;
  };
  switch (options.seed % 3) {
    case 0: run.operator()<fib_main>({"fib(12) = 233\n", 464, 699}, {"fib", "12"}); break;
    case 1: run.operator()<queens_main>({"queens(6) = 4\n", 124, 311}, {"queens", "6", "3"}); break;
    case 2:
      run.operator()<knary_main>({"knary(4,3,1) = 40\n", 26, 82}, {"knary", "4", "3", "1", "20"});
      break;
  }
}

void expect_all_reached(const probe_counts& probes, const char* also) {
  EXPECT_TRUE(probes.contains(also));
  EXPECT_GE(probes.size(), 9u);
  for (const auto& [name, count] : probes) EXPECT_GT(count, 0u) << name << " was never reached";
}

TEST(rare_branches, are_all_reached_under_sim_and_change_no_count) {
  probe_counts probes;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) run_exactly(some_machine("sim", seed), probes);
  expect_all_reached(probes, "sim.message_in_block");
}

TEST(rare_branches, are_all_reached_on_threads_and_change_no_count) {
  probe_counts probes;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) run_exactly(some_machine("local", seed), probes);
  expect_all_reached(probes, "local.inbox_is_full");
}

TEST(long_rare_branches, change_no_count_on_many_machines) {
  probe_counts probes;
  for (std::uint64_t seed = 1; seed <= 20'000 && !testing::Test::HasFailure(); ++seed)
    run_exactly(some_machine("sim", seed), probes);
  for (std::uint64_t seed = 1; seed <= 2'000 && !testing::Test::HasFailure(); ++seed)
    run_exactly(some_machine("local", seed), probes);
}

struct repeated {
  std::uint64_t hash;
  std::vector<rare_probe> probes;
};

repeated repeat(const run_options& options) {
  const auto run = run_program<queens_main>(options, {"queens", "6", "3"});
  const world_statistics& of_world = run.outcome.statistics.of_world;
  return {sim_statistics::of(of_world).event_log_hash, of_world.probes};
}

TEST(rare_branches, fall_the_same_way_with_the_same_seed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const run_options options = some_machine("sim", seed);
    const repeated first = repeat(options), again = repeat(options);
    EXPECT_EQ(first.hash, again.hash);
    ASSERT_EQ(first.probes.size(), again.probes.size());
    for (std::size_t i = 0; i < first.probes.size(); ++i) {
      EXPECT_EQ(first.probes[i].name, again.probes[i].name);
      EXPECT_EQ(first.probes[i].count, again.probes[i].count) << first.probes[i].name;
    }
  }
}

TEST(rare_branches, change_the_schedule) {
  run_options options = some_machine("sim", 3);
  options.nodes = 4;
  const std::uint64_t often = repeat(options).hash;
  options.faults.rare = 0;
  EXPECT_NE(repeat(options).hash, often);
}

}  // namespace
}  // namespace terrane
