// SPDX-License-Identifier: Apache-2.0
// expect_deadlock.hpp: runs programs that wait for ever, and checks the report: which fiber waits,
// for how many signals, and where it is in the source.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/every_machine.hpp"
#include "tests/support/run_machine.hpp"
#include "tests/support/worlds_to_test.hpp"

namespace terrane {

/// A fiber that should be reported as waiting. count 0: its slot was never given one.
struct expected_fiber {
  std::string function, fiber;
  int count;
  auto operator<=>(const expected_fiber&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const expected_fiber& each) {
  return out << each.function << "::" << each.fiber << " waits for " << each.count;
}

class deadlock_scenario : public on_a_machine {
 protected:
  /// Runs Root and compares what is left with what should be. Root says where its source is.
  template <class Root, class... A>
  run_outcome expect_deadlock(std::vector<expected_fiber> expected, A... values) {
    run_outcome outcome = run_machine<Root>(machine(1), values...);
    EXPECT_TRUE(outcome.deadlock);
    EXPECT_EQ(outcome.exit_code, 121);
    EXPECT_EQ(outcome.statistics.exit_code, 121);
    const bool simulated = GetParam().world == "sim";  // elsewhere a busy machine takes longer
    EXPECT_TRUE(!simulated || outcome.statistics.elapsed_seconds < 2);
    std::vector<expected_fiber> found;
    for (const waiting_fiber& each : outcome.left.waiting) {
      const std::string& name = each.function;
      EXPECT_EQ(each.armed, each.count != 0);
      EXPECT_LT(each.processor, static_cast<std::uint32_t>(processors()));
      EXPECT_EQ(each.node, each.processor / static_cast<std::uint32_t>(GetParam().processors));
      found.push_back({name.substr(name.rfind("::") + 2), each.fiber, each.count});
    }
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(found, expected) << describe_deadlock(outcome.left);
    return outcome;
  }

  /// Every place named lies in one of those stretches of lines of a deadlock*_test.cpp.
  struct lines {
    int first, last;
  };
  static void expect_places(const run_outcome& outcome, const std::vector<lines>& stretches) {
    for (const waiting_fiber& each : outcome.left.waiting) {
      const auto at = each.where.rfind("_test.cpp:");
      ASSERT_NE(at, std::string::npos) << "'" << each.where << "'";
      EXPECT_NE(each.where.rfind("/deadlock", at), std::string::npos) << each.where;
      const int line = std::stoi(each.where.substr(each.where.rfind(':') + 1));
      EXPECT_TRUE(std::any_of(stretches.begin(), stretches.end(), [line](const lines& each_one) {
        return each_one.first <= line && line <= each_one.last;
      })) << each.where;
    }
  }

  static std::uint32_t last() { return static_cast<std::uint32_t>(processors() - 1); }
};

inline auto one_two_and_four_nodes() {
  std::vector<machine_shape> all;
  for (const world_row* world : worlds_to_test())
    for (const int nodes : node_counts({1, 2, 4}))
      all.push_back({std::string(world->name), nodes, 1, "rand", -1});
  if (ranks_of_test() == 0) all.push_back({"local", 2, 2, "spn", -1});
  return testing::ValuesIn(all);
}

/// Where a struct stands in this file; the first comes right behind its head.
#define TERRANE_FIRST_LINE static constexpr int first_line = __LINE__ - 1
#define TERRANE_LAST_LINE static constexpr int last_line = __LINE__

}  // namespace terrane
