// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/shis.hpp"

#include <gtest/gtest.h>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

TEST(shis, asks_its_left_neighbour_until_somebody_gave_it_a_token) {
  fake_node_view node(2, 8);
  balance::shis policy;
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 1u);
}

TEST(shis, asks_the_last_giver_first_afterwards) {
  fake_node_view node(2, 8);
  balance::shis policy;
  policy.on_idle(node);
  policy.on_token(node, 6, {3, 6});
  node.forget();
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 6u);
}

TEST(shis, a_request_that_fails_goes_on_round_the_ring) {
  fake_node_view node(6, 8);
  balance::shis policy;
  policy.on_note(node, 2, {1, 2, 0});
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 5u);
}

TEST(shis, a_rich_node_answers_the_requester_itself) {
  fake_node_view node(6, 8);
  balance::shis policy({.ring = {.rich = 2}});
  node.tokens = 2;
  policy.on_note(node, 7, {1, 2, 0});
  EXPECT_TRUE(node.gifts.empty()) << "two tokens are not rich";
  node.tokens = 3;
  policy.on_note(node, 7, {1, 2, 0});
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 2u);
}

}  // namespace
}  // namespace terrane
