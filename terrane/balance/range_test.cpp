// SPDX-License-Identifier: Apache-2.0
// range_test.cpp: range and catapult: they differ in whom the rest goes to.
#include "terrane/balance/range.hpp"

#include <gtest/gtest.h>

#include "terrane/balance/catapult.hpp"
#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

std::vector<node_id> receivers(const fake_node_view& node) {
  std::vector<node_id> all;
  for (const auto& each : node.gifts) all.push_back(each.to);
  return all;
}

TEST(range, serves_the_requester_and_then_the_nodes_before_it) {
  fake_node_view node(1, 8);
  balance::range policy;
  policy.on_start(node);
  node.tokens = 4;
  policy.on_note(node, 2, request_of(6));  // past 5, 4, 3, 2, which are idle too
  EXPECT_EQ(receivers(node), (std::vector<node_id>{6, 5, 4})) << "and keeps one";
}

TEST(range, remembers_the_range_until_it_is_rich) {
  fake_node_view node(1, 8);
  balance::range policy;
  policy.on_start(node);
  policy.on_note(node, 2, request_of(3));
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 0u);
  node.tokens = 9;
  policy.on_surplus(node);
  EXPECT_EQ(receivers(node), (std::vector<node_id>{3, 2})) << "no more are known to be idle";
  policy.on_surplus(node);
  EXPECT_EQ(node.gifts.size(), 2u);
}

TEST(range, goes_round_the_end_of_the_ring) {
  fake_node_view node(6, 8);
  balance::range policy;
  policy.on_start(node);
  node.tokens = 9;
  policy.on_note(node, 7, request_of(1));
  EXPECT_EQ(receivers(node), (std::vector<node_id>{1, 0, 7}));
}

TEST(catapult, answers_the_requester_and_throws_the_rest_at_its_neighbour) {
  fake_node_view node(1, 8);
  balance::catapult policy;
  policy.on_start(node);
  node.tokens = 4;
  policy.on_note(node, 2, request_of(6));
  EXPECT_EQ(receivers(node), (std::vector<node_id>{6, 2, 2}));
}

}  // namespace
}  // namespace terrane
