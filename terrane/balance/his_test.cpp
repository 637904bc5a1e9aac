// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/his.hpp"

#include <gtest/gtest.h>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

TEST(his, asks_its_left_neighbour_while_it_knows_of_nobody_rich) {
  fake_node_view node(3, 6);
  balance::his policy;
  policy.on_start(node);
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 2u);
}

TEST(his, asks_the_richest_it_heard_of_and_then_the_next) {
  fake_node_view node(3, 6);
  balance::his policy;
  policy.on_start(node);
  policy.on_token(node, 1, {4, 1});
  policy.on_token(node, 5, {9, 5});
  policy.on_idle(node);
  policy.on_token(node, 0, {0, 0});
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 2u);
  EXPECT_EQ(node.notes[0].to, 5u);
  EXPECT_EQ(node.notes[1].to, 1u) << "what 5 had was acted on";
  EXPECT_EQ(node.logs.at(0).about, 5);
}

TEST(his, remembers_whose_requests_passed_by_and_gives_them_one_token_each_when_rich) {
  fake_node_view node(0, 6);
  balance::his policy;
  policy.on_start(node);
  policy.on_note(node, 1, request_of(4));
  policy.on_note(node, 1, request_of(2));
  EXPECT_EQ(node.notes.size(), 2u) << "passed on: it had nothing itself";
  node.forget();
  node.known[1] = 5;
  policy.on_note(node, 1, request_of(3));
  node.tokens = 9;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 3u);
  EXPECT_EQ(node.gifts[0].to, 2u);
  EXPECT_EQ(node.gifts[1].to, 3u);
  EXPECT_EQ(node.gifts[2].to, 4u);
  policy.on_surplus(node);
  EXPECT_EQ(node.gifts.size(), 3u) << "they have had theirs";
}

TEST(his, keeps_its_threshold) {
  fake_node_view node(0, 6);
  balance::his policy({.ring = {}, .threshold = 3});
  policy.on_start(node);
  EXPECT_EQ(node.surplus_marks.at(0), 3);
  for (const node_id each : {2u, 3u, 4u}) policy.on_note(node, 1, request_of(each));
  node.tokens = 4;
  policy.on_surplus(node);
  EXPECT_EQ(node.gifts.size(), 1u);
}

TEST(his, answers_the_requester_itself) {
  fake_node_view node(0, 6);
  balance::his policy;
  policy.on_start(node);
  node.tokens = 1;
  policy.on_note(node, 1, request_of(4));
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 4u);
}

}  // namespace
}  // namespace terrane
