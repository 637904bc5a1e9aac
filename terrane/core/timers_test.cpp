// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/timers.hpp"

#include <gtest/gtest.h>

#include <map>

#include "terrane/base/random.hpp"

namespace terrane {
namespace {

TEST(timers, without_any_the_next_is_never) {
  const timers due;
  EXPECT_TRUE(due.empty());
  EXPECT_EQ(due.next(), timers::never);
}

TEST(timers, the_earliest_comes_first_whatever_the_order_of_adding) {
  timers due;
  for (const std::uint64_t when : {50u, 10u, 30u, 20u, 40u}) due.add(when, when + 1000);
  for (const std::uint64_t when : {10u, 20u, 30u, 40u, 50u}) {
    EXPECT_FALSE(due.empty());
    EXPECT_EQ(due.next(), when);
    EXPECT_EQ(due.take(), when + 1000);
  }
  EXPECT_TRUE(due.empty());
}

TEST(timers, of_two_at_one_time_the_one_added_first_comes_first) {
  timers due;
  for (terrane_slot_ref slot = 0; slot < 100; ++slot) {
    due.add(7, slot);
    due.add(3, 1000 + slot);
  }
  for (terrane_slot_ref slot = 0; slot < 100; ++slot) ASSERT_EQ(due.take(), 1000 + slot);
  for (terrane_slot_ref slot = 0; slot < 100; ++slot) ASSERT_EQ(due.take(), slot);
}

TEST(timers, one_that_is_removed_never_comes) {
  timers due;
  const auto first = due.add(5, 1);
  due.add(7, 2);
  EXPECT_TRUE(due.remove(first));
  EXPECT_FALSE(due.remove(first)) << "it is gone";
  EXPECT_EQ(due.next(), 7u);
  EXPECT_EQ(due.take(), 2u);
  EXPECT_TRUE(due.empty());
}

TEST(timers, any_mix_of_adding_and_taking_keeps_time_and_order) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    random_stream random(seed);
    timers due;
    std::multimap<std::uint64_t, terrane_slot_ref> model;  // equal keys keep their order
    for (terrane_slot_ref slot = 0; slot < 5000; ++slot) {
      const std::uint64_t when = random.below(300);
      due.add(when, slot);
      model.emplace(when, slot);
      for (std::uint32_t takes = random.below(3); takes > 0 && !model.empty(); --takes) {
        ASSERT_EQ(due.next(), model.begin()->first);
        ASSERT_EQ(due.take(), model.begin()->second);
        model.erase(model.begin());
      }
    }
    for (const auto& [when, slot] : model) {
      ASSERT_EQ(due.next(), when);
      ASSERT_EQ(due.take(), slot);
    }
    EXPECT_TRUE(due.empty());
  }
}

}  // namespace
}  // namespace terrane
