// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/snd.hpp"

#include <gtest/gtest.h>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

TEST(snd, sends_all_that_is_above_its_threshold_to_the_right) {
  fake_node_view node(4, 5);
  balance::snd policy({.threshold = 2});
  policy.on_start(node);
  EXPECT_EQ(node.surplus_marks.at(0), 2);
  node.tokens = 5;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 0u);
  EXPECT_EQ(node.gifts[0].how_many, 3);
}

TEST(snd, asks_nobody) {
  fake_node_view node(1, 5);
  balance::snd policy;
  policy.on_start(node);
  policy.on_idle(node);
  EXPECT_TRUE(node.notes.empty());
}

TEST(snd, a_poor_node_grabs_one_token_and_passes_the_next_on) {
  fake_node_view node(1, 5);
  balance::snd policy;
  policy.on_idle(node);
  node.tokens = 1;
  policy.on_token(node, 0, {9, 4});
  EXPECT_TRUE(node.passes.empty());
  node.tokens = 2;
  policy.on_token(node, 0, {9, 4});
  ASSERT_EQ(node.passes.size(), 1u);
  EXPECT_EQ(node.passes[0].to, 2u);
  EXPECT_EQ(node.passes[0].origin, 4u);
}

TEST(snd, a_token_that_comes_home_leaves_the_ring) {
  fake_node_view node(1, 5);
  balance::snd policy;
  node.tokens = 6;
  policy.on_token(node, 0, {9, 1});
  EXPECT_TRUE(node.passes.empty());
}

TEST(snd, what_came_home_is_not_sent_again_with_what_is_new) {
  fake_node_view node(1, 5);
  balance::snd policy;
  policy.on_start(node);
  node.tokens = 4;
  policy.on_surplus(node);
  ASSERT_EQ(node.tokens, 1);
  for (int i = 0; i < 3; ++i) {
    ++node.tokens;
    policy.on_token(node, 0, {9, 1});
  }
  node.forget();
  node.tokens += 2;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].how_many, 3) << "the two new ones, and the one that never left";
}

TEST(snd, while_it_is_rich_it_sends_one_more_now_and_then) {
  fake_node_view node(1, 5);
  balance::snd policy({.again_us = 250});
  policy.on_start(node);
  ASSERT_EQ(node.periods.size(), 1u);
  EXPECT_EQ(node.periods[0], 250'000u);
  node.tokens = 6;
  policy.on_tick(node);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 2u);
  EXPECT_EQ(node.gifts[0].how_many, 1);
  node.tokens = 1;
  policy.on_tick(node);
  EXPECT_EQ(node.gifts.size(), 1u) << "not rich";
}

TEST(snd, does_nothing_alone) {
  fake_node_view node(0, 1);
  balance::snd policy;
  policy.on_start(node);
  EXPECT_TRUE(node.surplus_marks.empty());
}

}  // namespace
}  // namespace terrane
