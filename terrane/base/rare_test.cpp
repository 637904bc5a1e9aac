// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/rare.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace terrane {

namespace {

/// How often the branch is taken in a thousand times, and how often its condition is looked at.
struct taken_and_looked {
  int taken = 0, looked = 0;
};

taken_and_looked a_thousand_times(bool condition) {
  taken_and_looked result;
  const auto look = [&] {
    ++result.looked;
    return condition;
  };
  for (int i = 0; i < 1000; ++i)
    if (TERRANE_RARE("core.of_the_test", look())) ++result.taken;
  return result;
}

std::uint64_t count_of_the_test(const rare_dice& dice) {
  const rare_dice* const mine = &dice;
  for (const rare_probe& each : rare_probes("nowhere", {&mine, 1}))
    if (each.name == "core.of_the_test") return each.count;
  return 0;
}

/// This thread has dice while one of these is there.
struct with_dice {
  explicit with_dice(rare_dice& dice) { rare_dice_here = &dice; }
  ~with_dice() { rare_dice_here = nullptr; }
};

}  // namespace

TEST(rare, without_dice_the_condition_alone_decides) {
  EXPECT_EQ(a_thousand_times(false).taken, 0);
  EXPECT_EQ(a_thousand_times(true).taken, 1000);
  EXPECT_EQ(a_thousand_times(true).looked, 1000);
}

TEST(rare, at_rate_zero_the_condition_decides_and_the_probe_counts) {
  rare_dice dice(0, 1);
  const with_dice scope(dice);
  EXPECT_EQ(a_thousand_times(false).taken, 0);
  EXPECT_EQ(count_of_the_test(dice), 0u);
  EXPECT_EQ(a_thousand_times(true).looked, 1000);
  EXPECT_EQ(count_of_the_test(dice), rare_common ? 1000u : 0u);
}

TEST(rare, at_a_rate_it_is_taken_so_often_without_a_look_at_the_condition) {
  rare_dice dice(0.25, 1);
  const with_dice scope(dice);
  const auto [taken, looked] = a_thousand_times(false);
  EXPECT_GE(taken, rare_common ? 200 : 0);
  EXPECT_LE(taken, rare_common ? 300 : 0);
  EXPECT_EQ(taken + looked, 1000);
  EXPECT_EQ(count_of_the_test(dice), static_cast<std::uint64_t>(taken));
}

TEST(rare, every_seed_and_thread_draws_its_own_and_the_same_again) {
  const auto taken = [](std::uint64_t seed, std::uint64_t thread) {
    rare_dice dice(0.25, seed, thread);
    const with_dice scope(dice);
    return a_thousand_times(false).taken;
  };
  EXPECT_EQ(taken(1, 0), taken(1, 0));
  EXPECT_EQ(taken(1, 0) != taken(2, 0), rare_common);
  EXPECT_EQ(taken(1, 0) != taken(1, 1), rare_common);
}

TEST(rare, probes_are_those_of_core_and_of_the_world_asked_for) {
  rare_dice dice;
  const rare_dice* const mine = &dice;
  const auto elsewhere = [] { return TERRANE_RARE("sea.of_the_test", false); };
  EXPECT_FALSE(elsewhere());
  const auto lists = [&](const char* world, const char* name) {
    const auto probes = rare_probes(world, {&mine, 1});
    return std::any_of(probes.begin(), probes.end(),
                       [&](const rare_probe& each) { return each.name == name; });
  };
  EXPECT_EQ(lists("land", "core.of_the_test"), rare_common);
  EXPECT_EQ(lists("sea", "sea.of_the_test"), rare_common);
  EXPECT_FALSE(lists("land", "sea.of_the_test"));
}

}  // namespace terrane
