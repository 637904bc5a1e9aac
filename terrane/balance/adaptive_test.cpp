// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/adaptive.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

constexpr std::uint32_t his_number = 1, rand_number = 2;  // on their notes

/// A token of its own goes round the ring and comes home.
void come_home(fake_node_view& node, balancer& policy) {
  ++node.tokens;
  policy.on_token(node, node.left(), {9, node.me()});
}

TEST(adaptive, pushes_what_is_too_much_round_the_ring_at_first) {
  fake_node_view node(3, 8);
  balance::adaptive policy;
  policy.on_start(node);
  EXPECT_EQ(node.surplus_marks, (std::vector<int>{1})) << "snd's threshold alone";
  node.tokens = 5;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 4u);
  EXPECT_EQ(node.gifts[0].how_many, 4);
}

TEST(adaptive, asks_by_history_once_its_patience_is_over) {
  fake_node_view node(3, 8);
  balance::adaptive policy({.patience_us = 7});
  policy.on_start(node);
  policy.on_idle(node);
  node.time += 6'999;
  policy.on_idle(node);
  EXPECT_TRUE(node.notes.empty());
  node.time += 1;
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 2u);
  EXPECT_EQ(balance::tagged_view::number_of(node.notes[0].what), his_number);
}

TEST(adaptive, draws_whom_to_ask_once_a_token_of_its_own_came_home_and_says_why) {
  fake_node_view node(3, 8);
  balance::adaptive policy;
  policy.on_start(node);
  node.time = 1'000'000;
  come_home(node, policy);
  ASSERT_FALSE(node.logs.empty());
  EXPECT_NE(std::strstr(node.logs.back().what, "came home"), nullptr);
  node.tokens = 0;
  policy.on_idle(node);
  ASSERT_FALSE(node.notes.empty());
  EXPECT_EQ(balance::tagged_view::number_of(node.notes.back().what), rand_number);
}

TEST(adaptive, pushes_again_when_it_has_surplus_after_waiting_for_more_than_a_third) {
  for (const bool long_wait : {false, true}) {
    fake_node_view node(3, 8);
    balance::adaptive policy;
    policy.on_start(node);
    come_home(node, policy);
    node.time += 500;
    node.tokens = 0;
    policy.on_idle(node);
    node.time += long_wait ? 500 : 200;
    node.logs.clear();
    node.tokens = 2;
    policy.on_surplus(node);
    EXPECT_EQ(!node.logs.empty() && std::strstr(node.logs.front().what, "waited for long"),
              long_wait);
    EXPECT_EQ(node.surplus_marks.back(), long_wait ? 1 : 2) << "snd's threshold, or rand's";
  }
}

TEST(adaptive, a_poor_node_grabs_what_comes_round_the_ring_and_passes_the_next_on) {
  fake_node_view node(1, 8);
  balance::adaptive policy;
  policy.on_start(node);
  policy.on_idle(node);
  node.tokens = 1;
  policy.on_token(node, 0, {9, 6});
  EXPECT_TRUE(node.passes.empty());
  node.tokens = 2;
  policy.on_token(node, 0, {9, 6});
  ASSERT_EQ(node.passes.size(), 1u);
  EXPECT_EQ(node.passes[0].origin, 6u);
  policy.on_token(node, 5, {9, 5});
  EXPECT_EQ(node.passes.size(), 1u) << "one that was sent to it stays";
}

TEST(adaptive, answers_the_notes_of_any_policy) {
  fake_node_view node(0, 8);
  balance::adaptive policy;
  policy.on_start(node);
  policy.on_note(node, 3, {rand_number << balance::tagged_view::tag_shift, 0, 0});  // a probe
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 3u);
  EXPECT_EQ(balance::tagged_view::number_of(node.notes[0].what), rand_number);
  node.tokens = 5;
  note request = request_of(4);
  request.kind |= his_number << balance::tagged_view::tag_shift;
  policy.on_note(node, 3, request);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 4u);
}

}  // namespace
}  // namespace terrane
