// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/adaptive.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

using balance::adaptive;

constexpr std::uint32_t asks = 1, made_tokens = 2, made_none = 3, stays = 8;
constexpr std::uint64_t ms = 1'000'000;

/// A request that has no random nodes to visit any more.
note roaming(node_id asker, std::uint32_t what = asks, std::int64_t us = 100, int hops = 0) {
  return {what, asker, us << 8 | hops};
}

std::int64_t hops_of(const note& what) { return what.value & 255; }
std::int64_t us_of(const note& what) { return what.value >> 8; }

/// A token that the node asked for comes, makes none, and keeps it busy for so long.
void serve(fake_node_view& node, balancer& policy, node_id from, std::uint64_t work_ns) {
  node.tokens = 1;
  policy.on_token(node, from, {3, from});
  node.tokens = 0;
  node.time += work_ns;
  policy.on_idle(node);
}

bool said(const fake_node_view& node, const char* words) {
  return !node.logs.empty() && std::strstr(node.logs.back().what, words) != nullptr;
}

TEST(adaptive, asks_the_first_node_first_and_once) {
  fake_node_view node(3, 8);
  adaptive policy;
  policy.on_start(node);
  policy.on_idle(node);
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 0u);
  EXPECT_EQ(node.notes[0].what.about, 3u);
  EXPECT_EQ(hops_of(node.notes[0].what), 0);
}

TEST(adaptive, the_first_node_gives_to_all_in_the_order_of_the_ring_before_they_ask) {
  fake_node_view node(0, 4);
  adaptive policy;
  policy.on_start(node);
  EXPECT_EQ(node.surplus_marks.back(), 0);
  node.tokens = 6;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 3u);
  for (node_id i = 0; i < 3; ++i) EXPECT_EQ(node.gifts[i].to, i + 1);
  EXPECT_EQ(node.tokens, 3);
  EXPECT_EQ(node.surplus_marks.back(), -1) << "nobody is known to want any";
}

TEST(adaptive, another_node_knows_nobody_poor_at_the_start) {
  fake_node_view node(2, 4);
  adaptive policy;
  policy.on_start(node);
  node.tokens = 6;
  policy.on_surplus(node);
  EXPECT_TRUE(node.gifts.empty());
}

TEST(adaptive, a_request_goes_on_parks_and_goes_on_again_more_patiently) {
  fake_node_view node(2, 8);
  adaptive policy;
  policy.on_start(node);
  node.drawn = {5, 6};
  policy.on_note(node, 1, roaming(7, asks, 100, 2));
  ASSERT_EQ(node.notes.size(), 1u);
  EXPECT_EQ(node.notes[0].to, 5u);
  EXPECT_EQ(hops_of(node.notes[0].what), 1);
  EXPECT_TRUE(node.periods.empty()) << "nothing is parked";

  policy.on_note(node, 1, roaming(7));
  EXPECT_EQ(node.periods.back(), 50'000u);
  node.time += 99'999;
  policy.on_tick(node);
  EXPECT_EQ(node.notes.size(), 1u);
  node.time += 1;
  policy.on_tick(node);
  ASSERT_EQ(node.notes.size(), 2u);
  EXPECT_EQ(node.notes[1].to, 6u);
  EXPECT_EQ(node.notes[1].what.about, 7u);
  EXPECT_EQ(us_of(node.notes[1].what), 200);
  EXPECT_EQ(hops_of(node.notes[1].what), 4);
  EXPECT_EQ(node.periods.back(), 0u);
}

TEST(adaptive, who_makes_long_tokens_gives_the_last_to_who_asks) {
  fake_node_view node(2, 8);
  adaptive policy;
  policy.on_start(node);
  node.tokens = 2;
  for (const node_id asker : {7u, 6u}) policy.on_note(node, 1, roaming(asker));
  EXPECT_EQ(node.gifts.size(), 2u);

  node.tokens = 2;
  policy.on_note(node, 1, roaming(7, made_tokens, 0, 1));
  EXPECT_EQ(node.gifts.size(), 3u);
  policy.on_note(node, 1, roaming(6, made_tokens, 0, 1));
  EXPECT_EQ(node.gifts.size(), 3u) << "they are short";
}

TEST(adaptive, whose_token_made_none_keeps_one_from_those_who_ask) {
  fake_node_view node(2, 8);
  adaptive policy;
  policy.on_start(node);
  policy.on_idle(node);
  node.tokens = 2;
  policy.on_token(node, 0, {3, 0});
  for (const node_id asker : {7u, 6u}) policy.on_note(node, 1, roaming(asker));
  ASSERT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.gifts[0].to, 7u);
}

TEST(adaptive, surplus_goes_to_the_parked_in_the_order_of_the_ring) {
  fake_node_view node(2, 8);
  adaptive policy;
  policy.on_start(node);
  for (const node_id asker : {1u, 6u, 4u}) policy.on_note(node, 0, roaming(asker));
  EXPECT_EQ(node.surplus_marks.back(), 0);
  node.tokens = 3;
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 3u);
  EXPECT_EQ(node.gifts[0].to, 4u);
  EXPECT_EQ(node.gifts[1].to, 6u);
  EXPECT_EQ(node.gifts[2].to, 1u);
  EXPECT_EQ(node.tokens, 0);
}

TEST(adaptive, asks_whoever_gave_the_tokens_away_first_not_who_passed_them_on) {
  fake_node_view node(3, 8);
  adaptive policy;
  policy.on_start(node);
  policy.on_idle(node);
  for (const node_id from : {2u, 1u}) {
    node.tokens = 1;
    policy.on_token(node, from, {3, 5});
    node.tokens = 0;
    node.time += 4 * ms;
    policy.on_idle(node);
  }
  ASSERT_EQ(node.notes.size(), 3u);
  EXPECT_EQ(node.notes[2].to, 5u);
}

TEST(adaptive, asks_at_random_until_two_tokens_of_one_node_made_none_then_asks_that_and_stays) {
  fake_node_view node(3, 8);
  adaptive policy;
  policy.on_start(node);
  policy.on_idle(node);
  node.drawn = {6};
  serve(node, policy, 5, 4 * ms);
  ASSERT_EQ(node.notes.size(), 2u);
  EXPECT_EQ(node.notes[1].to, 6u);
  EXPECT_EQ(node.notes[1].what.kind, made_none);
  EXPECT_EQ(us_of(node.notes[1].what), 4000);
  EXPECT_EQ(hops_of(node.notes[1].what), 4);
  serve(node, policy, 5, 4 * ms);
  ASSERT_EQ(node.notes.size(), 3u);
  EXPECT_EQ(node.notes[2].to, 5u);
  EXPECT_EQ(node.notes[2].what.kind, made_none | stays);
  EXPECT_EQ(hops_of(node.notes[2].what), 0);
  node.drawn = {1};
  serve(node, policy, 4, 4 * ms);
  EXPECT_EQ(node.notes.back().to, 1u) << "another giver: it begins to count anew";
}

TEST(adaptive, who_stays_is_parked_for_twenty_times_its_last_work_longer) {
  fake_node_view node(2, 8);
  adaptive policy;
  policy.on_start(node);
  policy.on_note(node, 7, roaming(7, made_none | stays, 4000));
  node.time = 80 * ms + 99'999;
  policy.on_tick(node);
  EXPECT_TRUE(node.notes.empty());
  node.time += 1;
  policy.on_tick(node);
  EXPECT_EQ(node.notes.size(), 1u);
}

TEST(adaptive, gives_only_who_asks_while_tokens_make_their_own_and_says_why) {
  fake_node_view node(2, 8);
  adaptive policy;
  policy.on_start(node);
  policy.on_note(node, 1, roaming(7, made_tokens, 9000, 1));  // roams on: 7 is poor, not parked
  ASSERT_TRUE(said(node, "make others"));
  EXPECT_EQ(node.logs.back().first, 1500);
  node.tokens = 3;
  policy.on_surplus(node);
  EXPECT_TRUE(node.gifts.empty());

  policy.on_note(node, 1, roaming(6, made_none, 4000, 1));
  ASSERT_EQ(node.gifts.size(), 1u) << "who asks gets";
  EXPECT_TRUE(said(node, "tokens are long"));
  EXPECT_EQ(node.logs.back().first, 2750);
  policy.on_surplus(node);
  ASSERT_EQ(node.gifts.size(), 2u);
  EXPECT_EQ(node.gifts[1].to, 7u) << "and who is remembered as poor";
}

TEST(adaptive, tells_of_a_token_that_made_tokens) {
  fake_node_view node(3, 8);
  adaptive policy;
  policy.on_start(node);
  policy.on_idle(node);
  node.tokens = 1;
  policy.on_token(node, 0, {3, 0});
  EXPECT_EQ(node.surplus_marks.back(), 0) << "it hears of the first";
  policy.on_surplus(node);
  EXPECT_EQ(node.surplus_marks.back(), -1);
  node.tokens = 0;
  node.time += ms;
  policy.on_idle(node);
  EXPECT_EQ(node.notes.back().what.kind, made_tokens);
}

TEST(adaptive, a_token_that_nobody_asked_for_goes_on_round_the_ring) {
  fake_node_view node(3, 8);
  adaptive policy;
  policy.on_start(node);
  node.tokens = 2;
  policy.on_token(node, 0, {9, 0});
  ASSERT_EQ(node.passes.size(), 1u);
  EXPECT_EQ(node.passes[0].to, 4u);
  EXPECT_EQ(node.passes[0].origin, 0u);
}

TEST(adaptive, rests_when_a_token_came_home_until_somebody_asks) {
  fake_node_view node(0, 4);
  adaptive policy;
  policy.on_start(node);
  node.tokens = 3;
  policy.on_token(node, 3, {0, 0});
  EXPECT_TRUE(node.passes.empty());
  EXPECT_TRUE(said(node, "came home"));
  EXPECT_EQ(node.surplus_marks.back(), -1);
  policy.on_surplus(node);
  EXPECT_TRUE(node.gifts.empty());
  policy.on_note(node, 1, roaming(1));
  EXPECT_EQ(node.gifts.size(), 1u);
  EXPECT_EQ(node.surplus_marks.back(), 0) << "2 and 3 are remembered again";
}

/// Node 3 of 8, which asked.
struct poor_node {
  poor_node() {
    policy.on_start(node);
    policy.on_idle(node);
  }
  fake_node_view node{3, 8};
  adaptive policy;
};

/// A token comes and waits for its data; the node is told of its idleness as a processor does it.
void waits_for_data(poor_node& poor, std::uint64_t so_long) {
  auto& [node, policy] = poor;
  node.waits = true;
  serve(node, policy, 0, 10);
  std::uint64_t pause = 2'000;
  for (const std::uint64_t end = node.time + so_long; node.time + pause < end;) {
    node.time += pause;
    pause = std::min(2 * pause, 200'000ul);
    policy.on_idle(node);
  }
}

TEST(adaptive, does_not_ask_for_more_while_a_token_waits_for_its_data) {
  poor_node poor;
  auto& [node, policy] = poor;
  waits_for_data(poor, 100 * ms);
  EXPECT_EQ(node.notes.size(), 1u);
  node.time += 10 * ms;  // longer than it is ever left alone when idle: the data came
  policy.on_idle(node);
  ASSERT_EQ(node.notes.size(), 2u) << "its answer may be under way yet";
  EXPECT_EQ(node.notes[1].what.kind, made_none);
  EXPECT_EQ(us_of(node.notes[1].what), 10'000);
}

TEST(adaptive, asks_when_a_token_has_ended_however_small_it_was) {
  poor_node poor;
  auto& [node, policy] = poor;
  waits_for_data(poor, ms);
  node.waits = false;
  node.time += 1'000;
  policy.on_idle(node);
  EXPECT_EQ(node.notes.size(), 2u);
}

TEST(adaptive, up_to_three_tokens_may_wait_where_the_last_was_short) {
  poor_node poor;
  auto& [node, policy] = poor;
  serve(node, policy, 0, ms);
  for (const std::size_t asked : {3u, 4u, 4u}) {
    waits_for_data(poor, ms);
    EXPECT_EQ(node.notes.size(), asked);
  }
}

TEST(adaptive, while_one_waits_a_token_that_is_handed_on_goes_further) {
  poor_node poor;
  auto& [node, policy] = poor;
  serve(node, policy, 0, ms);
  waits_for_data(poor, ms);
  node.tokens = 1;
  policy.on_token(node, 2, {0, 5});
  ASSERT_EQ(node.passes.size(), 1u) << "though it asked";
  EXPECT_EQ(node.passes[0].to, 4u);
  node.tokens = 1;
  policy.on_token(node, 5, {0, 5});
  EXPECT_EQ(node.passes.size(), 1u) << "this is for it";
}

TEST(adaptive, asks_after_a_second_for_no_data_takes_so_long) {
  poor_node poor;
  waits_for_data(poor, 999 * ms);
  EXPECT_EQ(poor.node.notes.size(), 1u);
  for (int i = 0; i < 10; ++i) {
    poor.node.time += 200'000;
    poor.policy.on_idle(poor.node);
  }
  EXPECT_EQ(poor.node.notes.size(), 2u);
}

TEST(adaptive, one_node_alone_balances_nothing) {
  fake_node_view node(0, 1);
  adaptive policy;
  policy.on_start(node);
  EXPECT_TRUE(node.surplus_marks.empty());
  EXPECT_TRUE(node.enough_marks.empty());
}

}  // namespace
}  // namespace terrane
