// SPDX-License-Identifier: Apache-2.0
// small_machines.hpp: programs that count their own faults, on machines of 1, 2 and 4 nodes of 1
// and 2 processors in every world.
//
//   struct my_root : threaded<my_root> { step start(int* faults) { *faults = 0; ... } };
//   class my_scenario : public on_a_small_machine {};
//   INSTANTIATE_TEST_SUITE_P(everywhere, my_scenario, small_machines(), machine_name);
//   TEST_P(my_scenario, works) { expect_no_faults<my_root>(); }
#pragma once

#include <vector>

#include "tests/support/every_machine.hpp"
#include "tests/support/run_machine.hpp"
#include "tests/support/worlds_to_test.hpp"

namespace terrane {

/// Processors of the largest of them.
inline constexpr std::uint32_t small_machine_processors_max = 8;

inline auto small_machines() {
  std::vector<machine_shape> all;
  for (const world_row* world : worlds_to_test())
    for (const int nodes : node_counts({1, 2, 4}))
      for (const int processors : {1, 2})
        all.push_back({std::string(world->name), nodes, processors, "rand", -1});
  return testing::ValuesIn(all);
}

class on_a_small_machine : public on_a_machine {
 protected:
  /// Runs Root, whose start takes where to count its faults, and the rest, with two seeds.
  template <class Root, class... Rest>
  static void expect_no_faults(Rest... rest) {
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      int faults = -1;
      const auto outcome = run_machine<Root>(machine(seed), &faults, rest...);
      EXPECT_EQ(faults, 0);
      EXPECT_EQ(outcome.exit_code, 0);
      EXPECT_FALSE(outcome.deadlock) << describe_deadlock(outcome.left);
      EXPECT_EQ(outcome.left.frames, 0u);
      EXPECT_EQ(outcome.tokens_left, 0u);
    }
  }
};

}  // namespace terrane
