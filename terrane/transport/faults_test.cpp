// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/faults.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "terrane/base/rare.hpp"

namespace terrane {

namespace {

std::string fault_refusal(std::string_view text) {
  const auto read = read_faults(text);
  return read ? "" : read.problem();
}

}  // namespace

TEST(faults, words_are_read_and_written_back) {
  for (const std::string text :
       {"none", "delay=0.1", "delay=0.1,heavy=0.01,reorder=0.05,slow=0.1,pause=0.001,late=0.2",
        "pause=1", "late=1e-09"}) {
    const auto read = read_faults(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(to_text(read.value()), text);
  }
  EXPECT_EQ(to_text(read_faults("delay=0.10,slow=0").value()), "delay=0.1");
}

TEST(faults, a_wrong_word_is_named) {
  EXPECT_NE(fault_refusal("delays=0.1").find("not 'delays=0.1'"), std::string::npos);
  EXPECT_NE(fault_refusal("").find("takes delay"), std::string::npos);
  EXPECT_NE(fault_refusal("delay=0.1,").find("not ''"), std::string::npos);
  EXPECT_EQ(fault_refusal("delay"), "delay needs a rate from 0 to 1, not ''");
  for (const std::string wrong : {"1.1", "-0.1", "x", "0.1x", "nan", "inf", " 0.1", "0x1"})
    EXPECT_EQ(fault_refusal("slow=" + wrong), "slow needs a rate from 0 to 1, not '" + wrong + "'");
}

TEST(faults, rare_branches_need_a_build_that_has_them) {
  EXPECT_EQ(fault_refusal("rare=0"), "");
  EXPECT_EQ(fault_refusal("rare=1"), "rare needs a rate from 0 to 0.9, not '1'");
  if (rare_common)
    EXPECT_EQ(to_text(read_faults("rare=0.9").value()), "rare=0.9");
  else
    EXPECT_NE(fault_refusal("rare=0.9").find("-DTERRANE_RARE_COMMON=ON"), std::string::npos);
}

TEST(faults, nothing_happens_at_rate_zero_and_always_at_rate_one) {
  fault_plan none({}, 100, 5000, 1);
  fault_plan all({.delay = 1, .slow = 1, .pause = 1, .late = 1}, 100, 5000, 1);
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_FALSE(none.slow(i));
    EXPECT_TRUE(all.slow(i));
    EXPECT_EQ(none.start_ns(i), 0u);
    EXPECT_LE(all.start_ns(i), 5'000'000u);
    EXPECT_EQ(none.message_delay_ns(), 0u);
    EXPECT_LT(all.message_delay_ns(), 50'000u);
    EXPECT_EQ(none.pause_ns(), 0u);
    const std::uint64_t pause = all.pause_ns();
    EXPECT_GE(pause, 5000u);
    EXPECT_LE(pause, 5'000'000u);
  }
}

TEST(faults, happen_as_often_as_their_rate_says) {
  fault_plan plan({.delay = 0.1, .pause = 0.1, .late = 0.25}, 10'000, 5000, 7);
  int delayed = 0, paused = 0, late = 0;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    delayed += plan.message_delay_ns() != 0;
    paused += plan.pause_ns() != 0;
    late += plan.start_ns(i) != 0;
  }
  EXPECT_NEAR(delayed, 1000, 150);
  EXPECT_NEAR(paused, 1000, 150);
  EXPECT_NEAR(late, 2500, 250);
}

TEST(faults, heavy_delays_are_mostly_short_and_sometimes_huge) {
  fault_plan plan({.heavy = 1}, 1, 1000, 3);
  std::uint64_t longest = 0;
  int short_ones = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t late = plan.message_delay_ns();
    EXPECT_GE(late, 1000u);
    EXPECT_LE(late, 10'000'000u);
    short_ones += late < 4000;
    longest = std::max(longest, late);
  }
  EXPECT_GT(short_ones, 7000);
  EXPECT_GT(longest, 500'000u);
}

TEST(faults, follow_from_the_seed) {
  const fault_options some{.delay = 0.5, .slow = 0.5};
  fault_plan one(some, 64, 1000, 1), same(some, 64, 1000, 1), other(some, 64, 1000, 2);
  int differ = 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(one.slow(i), same.slow(i));
    const std::uint64_t delay = one.message_delay_ns();
    EXPECT_EQ(delay, same.message_delay_ns());
    differ += one.slow(i) != other.slow(i) || delay != other.message_delay_ns();
  }
  EXPECT_GT(differ, 10);
}

TEST(faults, of_one_kind_do_not_change_those_of_another) {
  fault_plan alone({.delay = 0.5}, 8, 1000, 5), together({.delay = 0.5, .pause = 0.5}, 8, 1000, 5);
  for (int i = 0; i < 100; ++i) {
    together.pause_ns();
    EXPECT_EQ(alone.message_delay_ns(), together.message_delay_ns());
  }
}

}  // namespace terrane
