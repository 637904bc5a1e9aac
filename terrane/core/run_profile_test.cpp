// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/run_profile.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace terrane {
namespace {

std::uint64_t sum_of(const run_profile& profile, shared_count profile_bin::* what) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < run_profile::bins; ++i) sum += (profile.bin(i).*what).get();
  return sum;
}

TEST(run_profile, each_moment_is_in_one_part_of_one_bin) {
  const auto profile = std::make_unique<run_profile>();
  time_split split{.balance = 100'000, .poll = 50'000};
  profile->look(400'000, {.split = split, .queued = 3, .tokens_in = 4, .tokens_out = 1});
  split.idle = 2'000'000;
  profile->look(2'400'000, {.split = split, .queued = 0, .tokens_in = 6, .tokens_out = 1});
  EXPECT_EQ(profile->bin_ns(), 1'000'000u);
  EXPECT_EQ(profile->bin(0).run.get(), 250'000u);
  EXPECT_EQ(profile->bin(0).idle.get(), 600'000u);
  EXPECT_EQ(profile->bin(1).idle.get(), 1'000'000u);
  EXPECT_EQ(profile->bin(2).idle.get(), 400'000u);
  EXPECT_EQ(profile->bin(0).queued.get(), 3u);
  EXPECT_EQ(profile->bin(0).tokens_in.get(), 4u);
  EXPECT_EQ(profile->bin(2).tokens_in.get(), 2u);
  EXPECT_EQ(profile->bin(0).tokens_out.get(), 1u);
}

TEST(run_profile, bins_double_their_width_and_lose_nothing) {
  const auto profile = std::make_unique<run_profile>();
  time_split split;
  const std::uint64_t step = 3'333'333;
  std::uint64_t now = 0;
  for (int i = 0; i < 1000; ++i) {
    now += step;
    split.idle += step / 3;
    profile->look(now, {.split = split, .queued = 2});
  }
  EXPECT_EQ(sum_of(*profile, &profile_bin::idle), 1000 * (step / 3));
  EXPECT_EQ(sum_of(*profile, &profile_bin::run), now - 1000 * (step / 3));
  EXPECT_EQ(sum_of(*profile, &profile_bin::looks), 1000u);
  EXPECT_EQ(sum_of(*profile, &profile_bin::queued), 2000u);
  EXPECT_EQ(profile->bin_ns(), 64'000'000u);
  EXPECT_EQ(profile->until(), now);
}

TEST(run_profile, functions_beyond_its_room_count_together) {
  const auto profile = std::make_unique<run_profile>();
  terrane_function functions[run_profile::functions + 2]{};
  for (const terrane_function& each : functions) profile->fiber_took(each, 1000);
  profile->fiber_took(functions[0], 5);
  EXPECT_EQ(profile->of_function(0).took.at(10), 1u);
  EXPECT_EQ(profile->of_function(0).took.at(3), 1u);
  EXPECT_EQ(profile->of_others().at(10), 2u);
}

}  // namespace
}  // namespace terrane
