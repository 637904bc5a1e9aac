// SPDX-License-Identifier: Apache-2.0
// objects_test.cpp: programs that stand on locks, structures, channels, reductions and barriers, on
// every machine, and under faults with many seeds.
#include "tests/support/every_machine.hpp"
#include "tests/support/gathering_programs.hpp"
#include "tests/support/object_programs.hpp"
#include "tests/support/run_machine.hpp"

namespace terrane {
namespace {

namespace programs = object_programs;

class objects : public on_a_machine {
 protected:
  template <class Root>
  static void expect_answer(long expected) {
    expect_answer_on<Root>(machine(1), expected);
    expect_answer_on<Root>(machine(2), expected);
  }

 public:
  template <class Root>
  static run_outcome expect_answer_on(const run_options& options, long expected) {
    SCOPED_TRACE("seed " + std::to_string(options.seed));
    long answer = -1;
    const run_outcome outcome = run_machine<Root>(options, &answer);
    EXPECT_EQ(answer, expected);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_FALSE(outcome.deadlock) << describe_deadlock(outcome.left);
    EXPECT_EQ(outcome.left.frames, 0u);
    EXPECT_EQ(outcome.tokens_left, 0u);
    return outcome;
  }
  static long binomial_19_9() { return 92378; }
  static long sum_of_streams(long n) {
    const long values = n * programs::values_each;
    return values * (values - 1) / 2;
  }
};
INSTANTIATE_TEST_SUITE_P(everywhere, objects, every_machine(), machine_name);

TEST_P(objects, a_lock_keeps_a_counter_right) {
  expect_answer<programs::counter>(long{programs::increments} * processors());
}

TEST_P(objects, elements_that_are_written_once_carry_a_triangle) {
  expect_answer<programs::triangle>(binomial_19_9());
}

TEST_P(objects, two_channels_carry_a_ball_to_and_fro) {
  expect_answer<programs::ping_pong<1>>(programs::rounds);
  expect_answer<programs::ping_pong<0>>(programs::rounds);
}

TEST_P(objects, a_channel_keeps_the_order_of_each_of_many_senders_and_loses_nothing) {
  const long items = long{programs::items_each} * processors();
  expect_answer<programs::funnel<0>>(items);
  expect_answer<programs::funnel<3>>(items);
}

TEST_P(objects, a_reduction_and_a_barrier_keep_the_rounds_of_all_processors_apart) {
  expect_answer<programs::rounds_of_all>(programs::barrier_rounds);
}

TEST_P(objects, a_barrier_lets_nobody_through_early_wherever_its_members_call) {
  expect_answer<programs::wanderers>((2 * processors() + 1L) * programs::barrier_rounds);
}

TEST_P(objects, a_barrier_is_passed_by_members_that_overtake_the_end_of_its_rounds) {
  expect_answer<programs::darters>(1);
}

TEST_P(objects, a_reduction_counts_every_value_once_though_nobody_waits_for_its_rounds) {
  expect_answer<programs::streams>(sum_of_streams(processors()));
}

/// The objects' own work is counted neither as tokens nor as fibers.
TEST_P(objects, add_nothing_to_the_counts_of_a_program) {
  const auto run =
      expect_answer_on<programs::counter>(machine(1), long{programs::increments} * processors());
  const auto p = static_cast<std::uint64_t>(processors());
  EXPECT_EQ(run.statistics.tokens_generated, 0u);
  // Each worker: its first fiber and three for each turn. The root: two.
  EXPECT_EQ(run.statistics.fibers_executed, p * (1 + 3 * programs::increments) + 2);
  EXPECT_EQ(run.left.objects, 0u);
}

// --- under faults ---

/// A machine of some shape whose network and nodes misbehave, all of it drawn from the seed.
run_options misbehaving(std::uint64_t seed) {
  run_options options;
  options.world = "sim";
  options.nodes = static_cast<int>(1 + seed % 23);
  options.processors = static_cast<int>(1 + seed % 2);
  const char* const balancers[] = {"nop", "minima", "spn", "rand"};
  options.balancer = balancers[seed / 2 % 4];
  options.seed = seed;
  options.faults.delay = 0.2;
  options.faults.reorder = seed % 3 == 0 ? 0.2 : 0;
  options.faults.slow = seed % 4 == 0 ? 0.3 : 0;
  options.faults.pause = seed % 5 == 0 ? 0.01 : 0;
  options.faults.heavy = seed % 7 == 0 ? 0.02 : 0;
  return options;
}

void expect_all_under_faults(std::uint64_t first_seed, std::uint64_t last_seed) {
  for (std::uint64_t seed = first_seed; seed <= last_seed; ++seed) {
    const run_options options = misbehaving(seed);
    const long p = long{options.nodes} * options.processors;
    objects::expect_answer_on<programs::counter>(options, programs::increments * p);
    objects::expect_answer_on<programs::triangle>(options, objects::binomial_19_9());
    objects::expect_answer_on<programs::ping_pong<1>>(options, programs::rounds);
    objects::expect_answer_on<programs::funnel<2>>(options, programs::items_each * p);
    objects::expect_answer_on<programs::rounds_of_all>(options, programs::barrier_rounds);
    objects::expect_answer_on<programs::wanderers>(options, (2 * p + 1) * programs::barrier_rounds);
    objects::expect_answer_on<programs::darters>(options, 1);
    objects::expect_answer_on<programs::streams>(options, objects::sum_of_streams(p));
    if (testing::Test::HasFailure()) break;
  }
}

TEST(objects_under_faults, keep_what_they_promise) { expect_all_under_faults(1, 60); }
/// Here a station hears only from a release that it has more of the next round than expected.
TEST(objects_under_faults, keep_it_when_members_overtake_a_release) {
  expect_all_under_faults(186, 186);
}
TEST(long_objects_under_faults, keep_what_they_promise) { expect_all_under_faults(61, 600); }

}  // namespace
}  // namespace terrane
