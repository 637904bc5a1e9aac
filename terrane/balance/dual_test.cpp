// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/dual.hpp"

#include <gtest/gtest.h>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

TEST(dual, requests_go_left_and_tokens_go_right) {
  fake_node_view node(2, 5);
  balance::dual policy;
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 1u);
  node.tokens = 3;
  policy.on_note(node, 3, {1, 4, 0});
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 3u) << "not straight to the requester, 4";
  EXPECT_EQ(node.notes.size(), 1u) << "the request was answered";
}

TEST(dual, a_poor_node_that_asked_keeps_the_token_that_comes_by) {
  fake_node_view node(2, 5);
  balance::dual policy;
  policy.on_idle(node);
  node.tokens = 1;  // the one that came
  policy.on_token(node, 1, {7, 0});
  EXPECT_TRUE(node.passes.empty());
}

TEST(dual, who_did_not_ask_or_has_others_passes_the_token_on_in_its_givers_name) {
  fake_node_view node(2, 5);
  balance::dual policy;
  node.tokens = 1;
  policy.on_token(node, 1, {7, 0});
  ASSERT_EQ(node.passes.size(), 1u);
  EXPECT_EQ(node.passes[0].to, 3u);
  EXPECT_EQ(node.passes[0].origin, 0u);
  node.tokens = 0;
  policy.on_idle(node);
  node.tokens = 4;
  policy.on_token(node, 1, {7, 0});
  EXPECT_EQ(node.passes.size(), 2u);
}

TEST(dual, a_token_that_comes_home_stays) {
  fake_node_view node(2, 5);
  balance::dual policy;
  node.tokens = 3;
  policy.on_token(node, 1, {7, 2});
  EXPECT_TRUE(node.passes.empty());
}

TEST(dual, asks_again_after_its_patience_for_somebody_else_may_have_the_answer) {
  fake_node_view node(2, 5);
  balance::dual policy({.ring = {}, .patience = 3});
  policy.on_idle(node);
  policy.on_idle(node);
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 1u);
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 2u);
}

}  // namespace
}  // namespace terrane
