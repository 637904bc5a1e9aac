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

TEST(minima, it_starts_by_asking_to_hear_of_more_than_two_tokens_and_for_as_many_queued) {
  fake_node_view node(0, 8);
  balance::minima policy;
  policy.on_start(node);
  ASSERT_EQ(node.surplus_marks.size(), 1u);
  EXPECT_EQ(node.surplus_marks[0], 2);
  ASSERT_EQ(node.enough_marks.size(), 1u);
  EXPECT_GT(node.enough_marks[0], 2);
}

TEST(minima, the_first_surplus_sends_the_newest_token_to_the_right_neighbour) {
  fake_node_view node(4, 5);
  balance::minima policy;
  policy.on_start(node);
  node.tokens = 10;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 0u);
  EXPECT_TRUE(node.gifts[0].newest);
  EXPECT_EQ(node.tokens, 9);
  EXPECT_EQ(node.logs.size(), 1u);
}

TEST(minima, having_given_one_it_is_off_for_good) {
  fake_node_view node(0, 4);
  balance::minima policy;
  policy.on_start(node);
  node.tokens = 10;
  policy.on_surplus(node);
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

TEST(minima, a_node_that_was_given_a_token_gives_one_too_once_it_has_more_than_two) {
  fake_node_view node(3, 5);
  balance::minima policy;
  policy.on_start(node);
  policy.on_token(node, 2, {9});
  node.tokens = 2;
  policy.on_surplus(node);
  EXPECT_TRUE(node.gifts.empty());
  node.tokens = 3;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 4u);
}

TEST(minima, a_token_out_of_reach_is_given_at_a_later_surplus) {
  fake_node_view node(0, 3);
  balance::minima policy;
  policy.on_start(node);
  node.tokens = node.out_of_reach = 6;
  policy.on_surplus(node);
  EXPECT_TRUE(node.gifts.empty());
  EXPECT_EQ(node.surplus_marks.back(), 2) << "still listening";
  node.out_of_reach = 0;
  policy.on_surplus(node);
  EXPECT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.surplus_marks.back(), -1);
}

TEST(minima, another_threshold_is_kept) {
  fake_node_view node(0, 3);
  balance::minima policy({.threshold = 5});
  policy.on_start(node);
  node.tokens = 5;
  policy.on_surplus(node);
  EXPECT_TRUE(node.gifts.empty());
  node.tokens = 6;
  policy.on_surplus(node);
  EXPECT_EQ(node.gifts.size(), 1u);
}

}  // namespace
}  // namespace terrane
