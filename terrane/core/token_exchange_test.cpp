// SPDX-License-Identifier: Apache-2.0
// token_exchange_test.cpp: what goes into a node's pool and out of it, and which processors are
// told.
#include "terrane/core/token_exchange.hpp"

#include <gtest/gtest.h>

#include "terrane/core/fake_machine_test.hpp"

namespace terrane {
namespace {

constexpr terrane_function stays{"stays", nullptr, 0,       0,       0,
                                 0,       nullptr, nullptr, nullptr, stays_in_node};

class exchange_of_four : public testing::Test {
 protected:
  exchange_of_four() {
    for (processor_id p = 0; p < 4; ++p) machine_.was_noticed(p);  // each begins so
  }
  void push(processor_id p, int how_many) {
    for (int i = 0; i < how_many; ++i) push_numbered(machine_.at(p), i);
  }
  /// Work sent minus work received by that processor.
  std::int64_t balance(processor_id p) {
    auto& detector = machine_.at(p).quiescence();
    detector.probe_arrived({});
    return detector.passive().to_successor->balance;
  }
  int take(processor_id p) {
    terrane_token token;
    return exchange_.take(machine_.at(p), token) ? number_of(token) : -1;
  }

  fake_machine machine_{1, 4};
  token_exchange& exchange_ = machine_.home().exchange();
};

TEST_F(exchange_of_four, is_filled_with_the_oldest_until_it_has_enough) {
  push(1, 20);
  EXPECT_EQ(exchange_.fill_from(machine_.at(1), 0), pool_target(1, 4));
  EXPECT_FALSE(exchange_.hungry());
  EXPECT_EQ(exchange_.fill_from(machine_.at(1), 0), 0u);
  EXPECT_EQ(balance(1), pool_target(1, 4));
  EXPECT_EQ(take(2), 0) << "the oldest";
  EXPECT_EQ(exchange_.queued(), 19);
}

TEST_F(exchange_of_four, leaves_a_giver_the_last_tokens) {
  push(1, 3);
  EXPECT_EQ(exchange_.fill_from(machine_.at(1), 2), 1u);
  EXPECT_EQ(exchange_.fill_from(machine_.at(1), 2), 0u);
  EXPECT_EQ(machine_.at(1).tokens().size(), 2u);
}

TEST_F(exchange_of_four, wakes_one_sleeper_for_each_token) {
  machine_.world.sleeping = {0, 2, 3};
  push(1, 2);
  exchange_.fill_from(machine_.at(1), 0);
  EXPECT_EQ(machine_.world.woken, (std::vector<processor_id>{0, 2}));
}

TEST_F(exchange_of_four, tells_the_siblings_when_a_take_leaves_it_hungry) {
  push(1, 20);
  exchange_.fill_from(machine_.at(1), 0);
  for (processor_id p = 0; p < 4; ++p) machine_.was_noticed(p);
  take(2);
  EXPECT_FALSE(machine_.was_noticed(3)) << "more than half is there";
  for (int i = 0; i < 4; ++i) take(2);
  EXPECT_TRUE(machine_.was_noticed(3));
  EXPECT_EQ(balance(2), -5);
}

TEST_F(exchange_of_four, tells_of_what_was_taken_back_only_when_somebody_is_idle) {
  const auto place = exchange_.share(machine_.at(1), numbered(7));
  ASSERT_TRUE(place);
  for (processor_id p = 0; p < 4; ++p) machine_.was_noticed(p);
  terrane_token token;
  const auto is_it = [](const terrane_token& seen) { return number_of(seen) == 7; };
  ASSERT_TRUE(exchange_.take_back_from(*place, machine_.at(1), token, is_it));
  EXPECT_FALSE(exchange_.take_back(machine_.at(1), token, is_it)) << "it is gone";
  EXPECT_FALSE(machine_.was_noticed(3));
  exchange_.tell_what_is_untold();
  EXPECT_TRUE(machine_.was_noticed(3));
  exchange_.tell_what_is_untold();
  EXPECT_FALSE(machine_.was_noticed(3)) << "once";
  EXPECT_EQ(balance(1), 0);
}

TEST_F(exchange_of_four, lets_nothing_leave_that_only_its_node_can_run) {
  exchange_.put_arrived({&stays, {}});
  exchange_.put_arrived(numbered(1));
  terrane_token token;
  ASSERT_TRUE(exchange_.take_to_leave(token));
  EXPECT_EQ(number_of(token), 1);
  EXPECT_FALSE(exchange_.take_to_leave(token));
  EXPECT_FALSE(exchange_.take_newest_to_leave(token));
  EXPECT_EQ(exchange_.pool().size(), 1u);
}

TEST_F(exchange_of_four, wants_no_offer_once_it_has_enough) {
  int given = 0;
  while (exchange_.offer(machine_.at(1), numbered(given))) ++given;
  EXPECT_EQ(given, static_cast<int>(pool_target(1, 4)));
  EXPECT_TRUE(exchange_.share(machine_.at(1), numbered(given))) << "wanted or not";
}

TEST(token_exchange, of_a_processor_that_is_alone_takes_nothing) {
  fake_machine machine(1, 1);
  push_numbered(machine.at(0), 1);
  EXPECT_EQ(machine.home().exchange().fill_from(machine.at(0), 0), 0u);
  EXPECT_FALSE(machine.home().exchange().share(machine.at(0), numbered(1)));
}

}  // namespace
}  // namespace terrane
