// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/rand.hpp"

#include <gtest/gtest.h>

#include <set>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

/// The kinds of its notes, learned by watching it.
struct kinds {
  std::uint32_t probe, answer, request;

  kinds() {
    fake_node_view node(0, 4);
    balance::rand policy;
    policy.on_start(node);
    policy.on_idle(node);
    probe = node.notes.at(0).what.kind;
    const node_id probed = node.notes.at(0).to;
    node.forget();
    policy.on_note(node, 3, {probe, 0, 0});
    answer = node.notes.at(0).what.kind;
    node.forget();
    node.known[probed] = 5;
    policy.on_note(node, probed, {answer, 0, 0});
    request = node.notes.at(0).what.kind;
  }
};

class rand_policy : public testing::Test {
 protected:
  const kinds kind_;

  /// Answers every probe that went out, with those loads.
  void answer(fake_node_view& node, balancer& policy) {
    const auto probes = node.notes;
    node.forget();
    for (const auto& each : probes) policy.on_note(node, each.to, {kind_.answer, 0, 0});
  }
};

TEST_F(rand_policy, the_kinds_of_its_notes_differ) {
  EXPECT_EQ((std::set<std::uint32_t>{kind_.probe, kind_.answer, kind_.request}).size(), 3u);
}

TEST_F(rand_policy, a_node_alone_asks_for_nothing) {
  fake_node_view node(0, 1);
  balance::rand policy;
  policy.on_start(node);
  EXPECT_TRUE(node.surplus_marks.empty());
  EXPECT_TRUE(node.notes.empty());
}

TEST_F(rand_policy, it_probes_a_tenth_of_the_nodes_and_one) {
  for (const auto& [nodes, probes] :
       {std::pair{2u, 1u}, {9u, 1u}, {10u, 2u}, {32u, 4u}, {100u, 11u}}) {
    fake_node_view node(1, nodes);
    balance::rand policy;
    policy.on_start(node);
    policy.on_idle(node);
    EXPECT_EQ(node.notes.size(), probes) << nodes << " nodes";
    for (const auto& each : node.notes) {
      EXPECT_EQ(each.what.kind, kind_.probe);
      EXPECT_NE(each.to, 1u) << "not itself";
      EXPECT_LT(each.to, nodes);
    }
  }
}

TEST_F(rand_policy, it_calls_itself_rich_above_twice_its_probes) {
  for (const auto& [nodes, threshold] : {std::pair{2u, 2}, {9u, 2}, {10u, 4}, {32u, 8}}) {
    fake_node_view node(0, nodes);
    balance::rand policy;
    policy.on_start(node);
    ASSERT_EQ(node.surplus_marks.size(), 1u);
    EXPECT_EQ(node.surplus_marks[0], threshold) << nodes << " nodes";
    ASSERT_FALSE(node.enough_marks.empty());
    EXPECT_GT(node.enough_marks.back(), threshold) << "or it never gets there";
  }
}

TEST_F(rand_policy, probes_and_threshold_can_be_set) {
  fake_node_view node(0, 20);
  balance::rand policy({.probes = 5, .threshold = 3});
  policy.on_start(node);
  EXPECT_EQ(node.surplus_marks.at(0), 3);
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 5u);
}

TEST_F(rand_policy, the_threshold_follows_the_probes_that_were_set) {
  fake_node_view node(0, 20);
  balance::rand policy({.probes = 5, .threshold = -1});
  policy.on_start(node);
  EXPECT_EQ(node.surplus_marks.at(0), 10);
}

TEST_F(rand_policy, it_never_probes_more_nodes_than_there_are_others) {
  fake_node_view node(0, 3);
  balance::rand policy({.probes = 50, .threshold = 3});
  policy.on_start(node);
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 2u);
}

TEST_F(rand_policy, receiver_mode_is_for_idle_nodes_only) {
  fake_node_view node(0, 4);
  balance::rand policy;
  policy.on_start(node);
  node.tokens = 1;
  policy.on_idle(node);
  EXPECT_TRUE(node.notes.empty());
}

TEST_F(rand_policy, sender_mode_is_for_more_than_the_threshold_only) {
  fake_node_view node(0, 4);
  balance::rand policy;
  policy.on_start(node);
  node.tokens = 2;
  policy.on_surplus(node);
  EXPECT_TRUE(node.notes.empty());
  node.tokens = 3;
  policy.on_surplus(node);
  EXPECT_EQ(node.notes.size(), 1u);
}

TEST_F(rand_policy, a_probe_is_answered_whatever_the_load) {
  for (const int tokens : {0, 1, 100}) {
    fake_node_view node(0, 4);
    balance::rand policy;
    policy.on_start(node);
    node.tokens = tokens;
    policy.on_note(node, 3, {kind_.probe, 0, 0});
    ASSERT_EQ(node.notes.size(), 1u);
    EXPECT_EQ(node.notes[0].to, 3u);
    EXPECT_EQ(node.notes[0].what.kind, kind_.answer);
    EXPECT_TRUE(node.gifts.empty());
  }
}

TEST_F(rand_policy, an_idle_node_asks_the_richest_it_found_for_a_token) {
  fake_node_view node(0, 30);
  balance::rand policy;
  policy.on_start(node);
  node.drawn = {5, 9, 17, 20};
  node.known = {{5, 2}, {9, 8}, {17, 8}, {20, 1}, {21, 99}};
  policy.on_idle(node);
  answer(node, policy);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 9u);
  EXPECT_EQ(node.notes[0].what.kind, kind_.request);
  EXPECT_TRUE(node.gifts.empty());
}

TEST_F(rand_policy, it_decides_only_when_all_answers_are_in) {
  fake_node_view node(0, 30);
  balance::rand policy;
  policy.on_start(node);
  node.drawn = {5, 9, 17, 20};
  node.known = {{5, 2}, {9, 8}, {17, 8}, {20, 1}};
  policy.on_idle(node);
  node.forget();
  for (const node_id each : {5u, 9u, 17u}) {
    policy.on_note(node, each, {kind_.answer, 0, 0});
    EXPECT_TRUE(node.notes.empty());
  }
  policy.on_note(node, 20, {kind_.answer, 0, 0});
  EXPECT_EQ(node.notes.size(), 1u);
}

TEST_F(rand_policy, when_all_it_found_are_poor_an_idle_node_asks_nobody) {
  fake_node_view node(0, 30);
  balance::rand policy;
  policy.on_start(node);
  policy.on_idle(node);
  answer(node, policy);
  EXPECT_TRUE(node.notes.empty());
}

TEST_F(rand_policy, a_node_that_found_work_meanwhile_asks_nobody) {
  fake_node_view node(0, 4);
  balance::rand policy;
  policy.on_start(node);
  node.drawn = {2};
  node.known = {{2, 9}};
  policy.on_idle(node);
  node.tokens = 1;
  answer(node, policy);
  EXPECT_TRUE(node.notes.empty());
  EXPECT_TRUE(node.gifts.empty());
}

TEST_F(rand_policy, a_rich_node_gives_one_token_to_the_poorest_it_found) {
  fake_node_view node(0, 30);
  balance::rand policy;
  policy.on_start(node);
  node.tokens = 9;
  node.drawn = {5, 9, 17, 20};
  node.known = {{5, 2}, {9, 8}, {17, 0}, {20, 1}};
  policy.on_surplus(node);
  answer(node, policy);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 17u);
  EXPECT_EQ(node.gifts[0].how_many, 1);
  EXPECT_EQ(node.logs.size(), 1u);
}

TEST_F(rand_policy, a_rich_node_gives_nothing_when_nobody_it_found_is_poor) {
  fake_node_view node(0, 30);
  balance::rand policy;
  policy.on_start(node);
  node.tokens = 50;
  node.drawn = {5, 9, 17, 20};
  node.known = {{5, 2}, {9, 8}, {17, 1}, {20, 1}};
  policy.on_surplus(node);
  answer(node, policy);
  EXPECT_TRUE(node.gifts.empty());
  EXPECT_TRUE(node.notes.empty());
}

TEST_F(rand_policy, a_node_no_longer_rich_gives_nothing) {
  fake_node_view node(0, 4);
  balance::rand policy;
  policy.on_start(node);
  node.tokens = 3;
  policy.on_surplus(node);
  node.tokens = 2;
  answer(node, policy);
  EXPECT_TRUE(node.gifts.empty());
}

TEST_F(rand_policy, a_request_is_served_with_one_token_if_there_is_one) {
  fake_node_view node(0, 4);
  balance::rand policy;
  policy.on_start(node);
  policy.on_note(node, 2, {kind_.request, 0, 0});
  EXPECT_TRUE(node.gifts.empty());
  node.tokens = 5;
  policy.on_note(node, 2, {kind_.request, 0, 0});
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 2u);
  EXPECT_EQ(node.gifts[0].how_many, 1);
}

TEST_F(rand_policy, answers_nobody_waits_for_change_nothing) {
  fake_node_view node(0, 4);
  balance::rand policy;
  policy.on_start(node);
  node.known = {{1, 9}, {2, 0}};
  for (const int tokens : {0, 100}) {
    node.tokens = tokens;
    policy.on_note(node, 1, {kind_.answer, 0, 0});
    policy.on_note(node, 2, {kind_.answer, 0, 0});
  }
  EXPECT_TRUE(node.notes.empty());
  EXPECT_TRUE(node.gifts.empty());
}

TEST_F(rand_policy, an_idle_node_looks_where_it_can_and_takes_from_the_richest) {
  fake_node_view node(0, 30);
  balance::rand policy;
  policy.on_start(node);
  node.drawn = {5, 9, 17, 20};
  node.seen = {{5, 2}, {9, 8}, {17, 7}, {20, 1}};
  node.offered = {{9, 3}, {17, 3}};
  policy.on_idle(node);
  EXPECT_EQ(node.tokens, 1);
  EXPECT_EQ(node.offered[9], 2);
  EXPECT_TRUE(node.notes.empty()) << "nobody was asked";
}

TEST_F(rand_policy, a_node_that_offers_nothing_is_asked) {
  fake_node_view node(0, 30);
  balance::rand policy;
  policy.on_start(node);
  node.drawn = {5, 9, 17, 20};
  node.seen = {{5, 2}, {9, 8}, {17, 7}, {20, 1}};
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 9u);
  EXPECT_EQ(node.notes[0].what.kind, kind_.request);
}

TEST_F(rand_policy, it_probes_those_that_it_cannot_look_at) {
  fake_node_view node(0, 30);
  balance::rand policy;
  policy.on_start(node);
  node.drawn = {5, 9, 17, 20};
  node.seen = {{5, 2}, {17, 7}};
  node.known = {{9, 8}, {20, 1}};
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 2u);
  EXPECT_EQ(node.notes[0].to, 9u);
  EXPECT_EQ(node.notes[1].to, 20u);
  answer(node, policy);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 9u);
  EXPECT_EQ(node.notes[0].what.kind, kind_.request);
}

TEST_F(rand_policy, a_rich_node_that_sees_a_poor_one_gives_at_once) {
  fake_node_view node(0, 4);
  balance::rand policy;
  policy.on_start(node);
  node.tokens = 9;
  node.drawn = {2};
  node.seen = {{2, 0}};
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 2u);
  EXPECT_TRUE(node.notes.empty());
}

}  // namespace
}  // namespace terrane
