// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/minima.hpp"

#include <gtest/gtest.h>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

TEST(minima, a_node_alone_asks_for_nothing) {
  fake_node_view node(0, 1);
  balance::minima policy;
  policy.on_start(node);
  EXPECT_TRUE(node.surplus_marks.empty());
  EXPECT_TRUE(node.enough_marks.empty());
}

TEST(minima, it_starts_by_asking_to_hear_of_more_than_one_token_and_for_one_for_each_node) {
  fake_node_view node(0, 8);
  balance::minima policy;
  policy.on_start(node);
  ASSERT_EQ(node.surplus_marks.size(), 1u);
  EXPECT_EQ(node.surplus_marks[0], 1);
  ASSERT_EQ(node.enough_marks.size(), 1u);
  EXPECT_GE(node.enough_marks[0], 8);
}

TEST(minima, every_other_node_gets_exactly_one_in_turn_from_the_right_neighbour_on) {
  fake_node_view node(2, 5);
  balance::minima policy;
  policy.on_start(node);
  node.tokens = 10;
  for (int i = 0; i < 10; ++i) policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(node.gifts[i].to, (2 + 1 + i) % 5);
    EXPECT_EQ(node.gifts[i].how_many, 1);
  }
  EXPECT_EQ(node.tokens, 6);
  EXPECT_EQ(node.logs.size(), 4u);
}

TEST(minima, each_surplus_gives_one_and_the_last_token_stays) {
  fake_node_view node(0, 5);
  balance::minima policy;
  policy.on_start(node);
  node.tokens = 9;
  policy.on_surplus(node);
  EXPECT_EQ(node.gifts.size(), 1u);
  node.tokens = 1;
  policy.on_surplus(node);
  EXPECT_EQ(node.gifts.size(), 1u);
  EXPECT_NE(node.surplus_marks.back(), -1) << "three nodes still have none";
  node.tokens = 2;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 2u);
  EXPECT_EQ(node.gifts[1].to, 2u);
}

TEST(minima, once_each_has_one_it_is_off_for_good) {
  fake_node_view node(0, 4);
  balance::minima policy;
  policy.on_start(node);
  node.tokens = 10;
  for (int i = 0; i < 3; ++i) policy.on_surplus(node);
  EXPECT_EQ(node.surplus_marks.back(), -1);
  EXPECT_EQ(node.enough_marks.back(), 1);
  node.forget();
  for (int i = 0; i < 5; ++i) {
    node.tokens = 100;
    policy.on_surplus(node);
    policy.on_idle(node);
    policy.on_tick(node);
  }
  EXPECT_TRUE(node.gifts.empty());
  EXPECT_TRUE(node.notes.empty());
}

TEST(minima, a_node_that_was_given_a_token_distributes_nothing) {
  fake_node_view node(3, 4);
  balance::minima policy;
  policy.on_start(node);
  policy.on_token(node, 0, {9});
  EXPECT_EQ(node.surplus_marks.back(), -1);
  node.tokens = 100;
  policy.on_surplus(node);  // as one that was under way when it shut off
  EXPECT_TRUE(node.gifts.empty());
}

TEST(minima, tokens_out_of_reach_are_given_at_a_later_surplus) {
  fake_node_view node(0, 3);
  balance::minima policy;
  policy.on_start(node);
  node.tokens = node.out_of_reach = 6;
  policy.on_surplus(node);
  EXPECT_TRUE(node.gifts.empty());
  EXPECT_EQ(node.surplus_marks.back(), 1) << "still listening";
  node.out_of_reach = 0;
  policy.on_surplus(node);
  policy.on_surplus(node);
  EXPECT_EQ(node.gifts.size(), 2u);
  EXPECT_EQ(node.surplus_marks.back(), -1);
}

}  // namespace
}  // namespace terrane
