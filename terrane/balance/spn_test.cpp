// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/spn.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

TEST(spn, an_idle_node_asks_its_left_neighbour_in_its_own_name) {
  fake_node_view node(2, 5);
  balance::spn policy;
  policy.on_start(node);
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 1u);
  EXPECT_EQ(node.notes[0].what.about, 2u);
}

TEST(spn, the_left_neighbour_of_the_first_node_is_the_last) {
  fake_node_view node(0, 5);
  balance::spn policy;
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 4u);
}

TEST(spn, one_request_at_a_time_is_under_way) {
  fake_node_view node(2, 5);
  balance::spn policy;
  for (int i = 0; i < 10; ++i) policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 1u);
}

TEST(spn, a_node_that_has_tokens_does_not_ask) {
  fake_node_view node(2, 5);
  balance::spn policy;
  node.tokens = 1;
  policy.on_idle(node);
  EXPECT_TRUE(node.notes.empty());
}

TEST(spn, a_request_that_comes_home_dies_there_and_the_next_may_go) {
  fake_node_view node(2, 5);
  balance::spn policy;
  policy.on_idle(node);
  const note request = node.notes[0].what;
  node.forget();
  policy.on_note(node, 3, request);
  EXPECT_TRUE(node.notes.empty()) << "not once more round the ring";
  node.tokens = 4;
  policy.on_note(node, 3, request);
  EXPECT_TRUE(node.gifts.empty()) << "nobody gives to himself";
  node.tokens = 0;
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 1u);
}

TEST(spn, a_node_with_a_token_sends_it_straight_to_who_asked) {
  fake_node_view node(0, 5);
  balance::spn policy;
  node.tokens = 3;
  policy.on_note(node, 1, {1, 3, 0});
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 3u) << "not to the neighbour that passed it on";
  EXPECT_EQ(node.gifts[0].how_many, 1);
  EXPECT_TRUE(node.notes.empty());
  EXPECT_EQ(node.logs.size(), 1u);
}

TEST(spn, a_node_that_has_nothing_passes_the_request_on_unchanged) {
  fake_node_view node(1, 5);
  balance::spn policy;
  policy.on_note(node, 2, {1, 3, 0});
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 0u);
  EXPECT_EQ(node.notes[0].what.kind, 1u);
  EXPECT_EQ(node.notes[0].what.about, 3u);
  EXPECT_TRUE(node.gifts.empty());
}

TEST(spn, a_node_whose_tokens_are_out_of_reach_passes_the_request_on) {
  fake_node_view node(1, 5);
  balance::spn policy;
  node.tokens = node.out_of_reach = 2;
  policy.on_note(node, 2, {1, 3, 0});
  EXPECT_EQ(node.notes.size(), 1u);
  EXPECT_TRUE(node.gifts.empty());
}

TEST(spn, a_token_that_came_allows_the_next_request) {
  fake_node_view node(2, 5);
  balance::spn policy;
  policy.on_idle(node);
  policy.on_token(node, 4, {7});
  node.forget();
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 1u);
}

TEST(spn, a_request_goes_round_a_ring_of_idle_nodes_exactly_once) {
  constexpr std::uint32_t nodes = 6;
  std::vector<std::unique_ptr<fake_node_view>> ring;
  std::vector<balance::spn> policies(nodes);
  for (node_id i = 0; i < nodes; ++i) ring.push_back(std::make_unique<fake_node_view>(i, nodes));
  policies[4].on_idle(*ring[4]);
  int hops = 0;
  for (node_id at = 4; !ring[at]->notes.empty(); ++hops) {
    const auto sent = ring[at]->notes.back();
    ring[at]->forget();
    policies[sent.to].on_note(*ring[sent.to], at, sent.what);
    at = sent.to;
    ASSERT_LE(hops, 20);
  }
  EXPECT_EQ(hops, 6);
}

}  // namespace
}  // namespace terrane
