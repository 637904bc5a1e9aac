// SPDX-License-Identifier: Apache-2.0
// handshake_test.cpp: what succeeds. What must not is in handshake_refusals_test.cpp.
#include "terrane/transport/tcp/handshake.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "terrane/transport/tcp/two_sides_test.hpp"

namespace terrane {
namespace {

class handshakes : public testing::Test {
 protected:
  void SetUp() override {
    if (!openssl_problem().empty()) GTEST_SKIP() << openssl_problem();
  }
};

TEST_F(handshakes, two_nodes_of_one_run_know_each_other_afterwards) {
  two_sides both;
  handshake caller = both.one.calls(2), callee = both.two.answers();
  talk(caller, callee);
  EXPECT_EQ(caller.now(), handshake::state::done);
  EXPECT_EQ(callee.now(), handshake::state::done);
  EXPECT_EQ(caller.peer(), 2u);
  EXPECT_EQ(callee.peer(), 1u);
  EXPECT_EQ(caller.peer_facts(), facts_on("b"));
  EXPECT_EQ(callee.peer_facts(), facts_on("a"));
  EXPECT_TRUE(both.one.admitted.is_connected(2));
  EXPECT_TRUE(both.two.admitted.is_connected(1));
  EXPECT_EQ(both.one.admitted.refused().faults() + both.two.admitted.refused().faults(), 0u);
}

TEST_F(handshakes, bytes_may_come_one_by_one_and_what_follows_is_not_taken) {
  two_sides both;
  handshake caller = both.one.calls(2), callee = both.two.answers();
  for (int turn = 0; turn < 4; ++turn) {
    handshake& from = turn % 2 == 0 ? caller : callee;
    handshake& to = turn % 2 == 0 ? callee : caller;
    while (!from.to_send().empty()) {
      EXPECT_EQ(to.take(from.to_send().first(1)), 1u);
      from.sent(1);
    }
  }
  EXPECT_EQ(caller.now(), handshake::state::done);
  EXPECT_EQ(callee.now(), handshake::state::done);

  two_sides others;
  handshake calls = others.one.calls(2), answers = others.two.answers();
  talk(calls, answers, [&](int message, wire_bytes& bytes) {
    const std::size_t whole = bytes.size();
    if (message == 2) bytes.insert(bytes.end(), 100, 0xee);
    if (message == 2) { EXPECT_EQ(answers.take(bytes), whole); }
  });
  EXPECT_EQ(answers.now(), handshake::state::done);
  EXPECT_EQ(answers.take(wire_bytes(10)), 0u);
}

TEST_F(handshakes, the_launcher_calls_and_is_called) {
  const job_secret secret = job_secret::mint().value();
  side launcher(launcher_node, secret, facts_on("home")), zero(0, secret, facts_on("a")),
      three(3, secret, facts_on("b"));
  handshake caller = zero.calls(launcher_node), callee = launcher.answers();
  talk(caller, callee);
  EXPECT_EQ(callee.now(), handshake::state::done);
  EXPECT_EQ(callee.peer(), 0u);
  handshake calls = launcher.calls(3), answers = three.answers();
  talk(calls, answers);
  EXPECT_EQ(calls.now(), handshake::state::done);
  EXPECT_EQ(answers.peer(), launcher_node);
}

TEST_F(handshakes, when_both_call_at_once_the_lower_numbers_call_is_the_connection) {
  two_sides both;
  handshake of_one = both.one.calls(2), at_two = both.two.answers();
  handshake of_two = both.two.calls(1), at_one = both.one.answers();
  talk(of_two, at_one);
  EXPECT_EQ(at_one.why(), refusal::crossed);
  EXPECT_EQ(of_two.why(), refusal::crossed);
  talk(of_one, at_two);
  EXPECT_EQ(of_one.now(), handshake::state::done);
  EXPECT_EQ(at_two.now(), handshake::state::done);
  EXPECT_EQ(both.one.admitted.refused().faults() + both.two.admitted.refused().faults(), 0u);
}

TEST_F(handshakes, crossing_calls_make_one_connection_in_every_order_of_their_messages) {
  // The order is a number with a bit for each of the eight messages: whose turn is next.
  for (unsigned order = 0; order < 256; ++order) {
    two_sides both;
    handshake of_one = both.one.calls(2), at_two = both.two.answers();
    handshake of_two = both.two.calls(1), at_one = both.one.answers();
    int next[2] = {0, 0};
    const auto step = [&](int which) {
      handshake& caller = which == 0 ? of_one : of_two;
      handshake& callee = which == 0 ? at_two : at_one;
      const bool calls = next[which]++ % 2 == 0;
      const wire_bytes bytes = all_of(calls ? caller : callee);
      (calls ? callee : caller).take(bytes);
    };
    for (unsigned i = 0; i < 8; ++i) step((order >> i) & 1);
    for (int which : {0, 1})
      while (next[which] < 4) step(which);
    EXPECT_EQ(of_one.now(), handshake::state::done) << order;
    EXPECT_EQ(at_two.now(), handshake::state::done) << order;
    EXPECT_EQ(of_two.why(), refusal::crossed) << order;
    EXPECT_EQ(both.one.admitted.refused().faults() + both.two.admitted.refused().faults(), 0u);
  }
}

TEST_F(handshakes, a_call_that_came_to_nothing_may_be_made_again) {
  two_sides both;
  handshake first = both.one.calls(2);
  EXPECT_FALSE(both.one.admitted.begin_call(2));
  first.give_up(refusal::closed);
  both.one.admitted.end_call(2);
  handshake caller = both.one.calls(2), callee = both.two.answers();
  talk(caller, callee);
  EXPECT_EQ(caller.now(), handshake::state::done);
  EXPECT_FALSE(both.one.admitted.begin_call(2));
}

TEST_F(handshakes, secrets_are_drawn_written_and_read) {
  const job_secret first = job_secret::mint().value(), second = job_secret::mint().value();
  EXPECT_NE(first.job(), second.job());
  EXPECT_NE(first.key_for("a"), first.key_for("b"));
  job_secret::line text;
  first.write(text);
  const auto copy = job_secret::of_line(text);
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy.value().job(), first.job());
  EXPECT_EQ(copy.value().key_for("a"), first.key_for("a"));
  for (const unsigned char each : text.text()) EXPECT_EQ(each, 0);
}

}  // namespace
}  // namespace terrane
