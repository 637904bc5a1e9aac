// SPDX-License-Identifier: Apache-2.0
// worded_test.cpp: the variants of balancers that do what the paper's words say, where ours mend
// them, and the fates of a request that Shis' remembered node cannot answer.
#include <gtest/gtest.h>

#include "terrane/balance/catapult.hpp"
#include "terrane/balance/dual.hpp"
#include "terrane/balance/fake_node_view_test.hpp"
#include "terrane/balance/rand.hpp"
#include "terrane/balance/shis.hpp"
#include "terrane/balance/snd.hpp"
#include "terrane/balance/table.hpp"

namespace terrane {
namespace {

TEST(worded_dual, a_request_that_comes_by_its_own_node_circulates) {
  fake_node_view node(2, 5);
  balance::dual policy({.ring = {}, .literal = true});
  policy.on_idle(node);
  const note asked = node.notes.at(0).what;
  node.forget();
  policy.on_note(node, 3, asked);
  ASSERT_EQ(node.notes.size(), 1u) << "it has no number to be known by";
  EXPECT_EQ(node.notes[0].to, 1u);
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 1u) << "one request a node";
}

TEST(worded_dual, a_node_that_passes_a_token_on_leaves_its_claim_to_others) {
  fake_node_view node(2, 5);
  balance::dual policy({.ring = {}, .literal = true});
  policy.on_idle(node);
  node.tokens = 4;
  policy.on_token(node, 1, {7, 0});
  EXPECT_EQ(node.passes.size(), 1u);
  node.tokens = 0;
  node.forget();
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 1u) << "it asks anew";
}

TEST(worded_snd, sends_one_token_at_a_time) {
  fake_node_view node(1, 5);
  balance::snd policy({.literal = true});
  policy.on_start(node);
  node.tokens = 6;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].how_many, 1);
}

TEST(worded_catapult, throws_the_requesters_token_at_its_neighbour_too) {
  fake_node_view node(1, 8);
  balance::catapult policy({}, true);
  policy.on_start(node);
  node.tokens = 4;
  policy.on_note(node, 2, {1, 6, 0});
  ASSERT_EQ(node.gifts.size(), 3u);
  for (const auto& each : node.gifts) EXPECT_EQ(each.to, 2u);
}

TEST(worded_catapult, a_requester_that_others_were_served_for_asks_again) {
  fake_node_view node(4, 8);
  balance::catapult policy({}, true);
  for (int i = 0; i < 8; ++i) policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 1u);
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 2u);
}

TEST(worded_rand, gives_to_the_least_loaded_even_if_that_has_some) {
  for (const bool literal : {false, true}) {
    fake_node_view node(0, 4);
    balance::rand policy({.literal = literal});
    policy.on_start(node);
    node.tokens = 9;
    node.drawn = {2};
    node.seen = {{2, 3}};
    policy.on_surplus(node);
    EXPECT_EQ(node.gifts.size(), literal ? 1u : 0u);
  }
}

/// Shis after a token from node 6, idle again.
struct shis_that_fails : testing::TestWithParam<int> {
  fake_node_view node_{2, 8};
  balance::shis policy_{{.ring = {}, .fails = GetParam()}};

  void remember_six() {
    policy_.on_idle(node_);
    node_.tokens = 1;
    policy_.on_token(node_, 6, {3, 6});
    node_.tokens = 0;
    node_.forget();
    policy_.on_idle(node_);
  }
};

TEST_P(shis_that_fails, asks_the_node_that_it_remembers) {
  remember_six();
  ASSERT_EQ(node_.notes.size(), 1u);
  EXPECT_EQ(node_.notes[0].to, 6u);
  for (int i = 0; i < 20; ++i) policy_.on_idle(node_);
  const bool again = GetParam() == 1;
  EXPECT_EQ(node_.notes.size() > 1, again);
}

TEST_P(shis_that_fails, lets_the_request_of_another_die_or_go_on_without_its_number) {
  remember_six();
  const note direct = node_.notes.at(0).what;
  fake_node_view poor(6, 8);
  balance::shis there({.ring = {}, .fails = GetParam()});
  there.on_note(poor, 2, direct);
  EXPECT_EQ(poor.notes.size(), GetParam() == 3 ? 1u : 0u);
  if (GetParam() == 3) {
    EXPECT_EQ(poor.notes[0].to, 5u);
    fake_node_view rich(4, 8);
    rich.tokens = 2;
    there.on_note(rich, 5, poor.notes[0].what);
    ASSERT_EQ(rich.gifts.size(), 1u);
    EXPECT_EQ(rich.gifts[0].to, 5u) << "round the ring, to the first that is poor";
  }
}

INSTANTIATE_TEST_SUITE_P(each, shis_that_fails, testing::Values(1, 2, 3));

TEST(worded_balancers, are_chosen_by_name) {
  for (const char* name :
       {"dual:literal=1", "snd:literal=1", "catapult:literal=1", "rand:literal=1", "shis:fails=3"})
    EXPECT_TRUE(static_cast<bool>(choose_balancer(name))) << name;
}

}  // namespace
}  // namespace terrane
