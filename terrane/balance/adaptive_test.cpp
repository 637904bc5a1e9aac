// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/adaptive.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

/// One wait for a token, then work.
void wait_then_work(fake_node_view& node, balancer& policy, std::uint64_t wait,
                    std::uint64_t work) {
  node.tokens = 0;
  policy.on_idle(node);
  node.time += wait;
  node.tokens = 1;
  policy.on_token(node, 1, {5, 1});
  node.time += work;
}

/// Which of the policies asks: its number is on its notes.
std::uint32_t in_force(fake_node_view& node, balancer& policy) {
  node.forget();
  node.tokens = 0;
  for (int i = 0; i < 10; ++i) policy.on_idle(node);  // answers may be outstanding
  return node.notes.empty() ? ~0u : balance::tagged_view::number_of(node.notes.back().what);
}

TEST(adaptive, stays_with_its_first_policy_while_waits_are_short) {
  fake_node_view node(0, 8);
  balance::adaptive policy({.spells = 4});
  policy.on_start(node);
  for (int i = 0; i < 20; ++i) wait_then_work(node, policy, 10, 1000);
  EXPECT_EQ(in_force(node, policy), 0u);
}

TEST(adaptive, tries_the_other_when_waiting_takes_more_than_a_third_and_says_why) {
  fake_node_view node(0, 8);
  balance::adaptive policy({.spells = 4});
  policy.on_start(node);
  node.logs.clear();
  for (int i = 0; i < 4; ++i) wait_then_work(node, policy, 1000, 10);
  ASSERT_FALSE(node.logs.empty());
  EXPECT_NE(std::strstr(node.logs.back().what, "adaptive tries"), nullptr);
  EXPECT_EQ(node.logs.back().first, 1000) << "the mean wait that it measured";
  EXPECT_EQ(in_force(node, policy), 1u);
}

TEST(adaptive, goes_back_where_waits_were_shorter) {
  fake_node_view node(0, 8);
  balance::adaptive policy({.spells = 4});
  policy.on_start(node);
  for (int i = 0; i < 4; ++i) wait_then_work(node, policy, 1000, 10);
  for (int i = 0; i < 4; ++i) wait_then_work(node, policy, 5000, 10);
  EXPECT_EQ(in_force(node, policy), 0u);
}

TEST(adaptive, answers_the_notes_of_either_policy) {
  fake_node_view node(0, 8);
  balance::adaptive policy;
  policy.on_start(node);
  policy.on_note(node, 3, {0, 0, 0});  // a probe of rand's
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 3u);
  EXPECT_EQ(balance::tagged_view::number_of(node.notes[0].what), 0u);
  node.tokens = 5;
  policy.on_note(node, 3, {1 | 1u << balance::tagged_view::tag_shift, 4, 0});  // a request of his's
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 4u);
}

TEST(adaptive, a_policy_that_is_not_in_force_sets_no_marks) {
  fake_node_view node(0, 8);
  balance::adaptive policy;
  policy.on_start(node);
  EXPECT_EQ(node.surplus_marks, (std::vector<int>{2})) << "rand's threshold alone";
}

}  // namespace
}  // namespace terrane
