// SPDX-License-Identifier: Apache-2.0
// fib_test.cpp: the finest grain of work: every token and every fiber is counted, on every machine.
#include "tests/support/every_machine.hpp"
#include "tests/support/known_programs.hpp"

namespace terrane::programs {
namespace {

class fib_scenario : public on_a_machine {};

TEST_P(fib_scenario, counts_every_token_and_fiber_exactly) {
  const known_run known = known_fib(20);
  EXPECT_EQ(known.output, "fib(20) = 10946\n");
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    expect_exactly<fib_main>(known, machine(seed), {"fib", "20"});
}

TEST_P(fib_scenario, ends_when_there_is_nothing_to_split) {
  for (const char* n : {"0", "1"})
    expect_exactly<fib_main>(known_fib(std::stoi(n)), machine(1), {"fib", n});
}

INSTANTIATE_TEST_SUITE_P(everywhere, fib_scenario, every_machine(), machine_name);

class large_fib : public on_a_machine {};

TEST_P(large_fib, comes_to_the_numbers_of_the_paper) {
  expect_exactly<fib_main>({"fib(33) = 5702887\n", 11'405'772, 17'108'661}, machine(1), {"fib"});
}

INSTANTIATE_TEST_SUITE_P(somewhere, large_fib, few_machines(), machine_name);

TEST(fib_sequential, knows_the_answers) {
  EXPECT_EQ(fib_sequential(0), 1);
  EXPECT_EQ(fib_sequential(1), 1);
  EXPECT_EQ(fib_sequential(28), 514'229);
  EXPECT_EQ(fib_sequential(33), 5'702'887);
}

}  // namespace
}  // namespace terrane::programs
