// SPDX-License-Identifier: Apache-2.0
// token_stack_test.cpp: tokens that move and tokens that are kept in their places.
#include "terrane/core/token_stack.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "terrane/core/object.hpp"

namespace terrane {
namespace {

constexpr std::size_t places = 256;

/// An object that waits for a kept token's answer. In these tests no operation is asked of it.
class waiting_owner final : public object {
 public:
  void operate(const operation_request&) override {}
};
waiting_owner owner_of_kept;
int times_left = 0;
object* leave(terrane_token&) { return ++times_left, &owner_of_kept; }

constexpr terrane_function plain{"plain",     nullptr, 0,       0,       64,
                                 sizeof(int), nullptr, nullptr, nullptr, 0};
constexpr kept_kind kept{
    {"kept", nullptr, 0, 0, 0, sizeof(int), nullptr, nullptr, nullptr, kept_by_owner}, leave};

class token_stack_of_a_processor : public testing::Test {
 protected:
  terrane_token* push(const terrane_function& function, int number) {
    if (head_.top >= stack_.end()) stack_.make_room();
    terrane_token* place = head_.top++;
    place->function = &function;
    std::memcpy(place->args, &number, sizeof number);
    return place;
  }
  static int number_of(const terrane_token& token) {
    int number;
    std::memcpy(&number, token.args, sizeof number);
    return number;
  }
  int take_oldest() {
    stack_.trim();
    terrane_token token;
    stack_.take_oldest(token);
    return number_of(token);
  }

  terrane_token memory_[places];
  terrane_processor head_{};
  token_stack stack_{head_, memory_, places};
};

TEST_F(token_stack_of_a_processor, gives_its_oldest_first_and_is_empty_then) {
  for (int i = 0; i < 5; ++i) push(plain, i);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(take_oldest(), i);
  EXPECT_EQ(stack_.size(), 0u);
}

TEST_F(token_stack_of_a_processor, moves_down_when_it_reaches_its_end_and_nothing_is_kept) {
  for (int i = 0; i < 60; ++i) push(plain, i);
  for (int i = 0; i < 50; ++i) take_oldest();
  for (int i = 60; i < 80; ++i) push(plain, i);
  EXPECT_LT(head_.bottom, memory_ + 10) << "the places of those that left are used again";
  for (int i = 50; i < 80; ++i) EXPECT_EQ(take_oldest(), i);
}

TEST_F(token_stack_of_a_processor, keeps_a_kept_token_in_its_place_and_grows_instead) {
  terrane_token* const mine = push(kept, 7);
  for (int i = 0; i < 100; ++i) push(plain, i);
  EXPECT_EQ(mine->function, &kept);
  EXPECT_EQ(number_of(*mine), 7);
  EXPECT_TRUE(stack_.holds_kept());
}

TEST_F(token_stack_of_a_processor, says_in_its_place_who_waits_for_a_kept_token_that_left) {
  times_left = 0;
  terrane_token* const mine = push(kept, 7);
  push(plain, 8);
  EXPECT_EQ(take_oldest(), 7);
  EXPECT_EQ(times_left, 1);
  EXPECT_EQ(mine->function, &taken_token);
  object* waits;
  std::memcpy(&waits, mine->args, sizeof waits);
  EXPECT_EQ(waits, &owner_of_kept);
  EXPECT_TRUE(stack_.holds_kept());
}

TEST_F(token_stack_of_a_processor, gives_back_the_places_below_once_all_were_asked_for) {
  terrane_token* const first = push(kept, 1);
  terrane_token* const second = push(kept, 2);
  take_oldest(), take_oldest();
  stack_.give_up(*second);
  EXPECT_EQ(head_.top, memory_ + 1) << "the first was not asked for yet";
  stack_.give_up(*first);
  EXPECT_EQ(head_.top, memory_);
  EXPECT_FALSE(stack_.holds_kept());
}

TEST_F(token_stack_of_a_processor, skips_what_its_owner_took_out_of_the_middle) {
  push(plain, 1);
  terrane_token* const middle = push(kept, 2);
  push(plain, 3);
  stack_.give_up(*middle);
  EXPECT_EQ(take_oldest(), 1);
  EXPECT_EQ(take_oldest(), 3);
}

TEST_F(token_stack_of_a_processor, gives_kept_tokens_in_any_order_and_keeps_no_dead_places) {
  std::array<terrane_token*, 4> mine{};
  for (int i = 0; i < 4; ++i) mine[static_cast<std::size_t>(i)] = push(kept, i);
  EXPECT_FALSE(stack_.take_older(head_.top)) << "nothing lies there";
  for (const std::size_t each : {0u, 2u}) {
    EXPECT_TRUE(stack_.take_older(mine[each]));
    EXPECT_EQ(number_of(*mine[each]), static_cast<int>(each)) << "its arguments are still there";
  }
  EXPECT_EQ(stack_.size(), 4u);
  --head_.top;  // as the join of the newest does
  EXPECT_TRUE(stack_.take_older(mine[1])) << "newest but for a dead place";
  EXPECT_EQ(head_.top, mine[0]) << "the dead places at the new end have gone";
  EXPECT_EQ(stack_.size(), 0u);
}

TEST_F(token_stack_of_a_processor, does_not_give_what_has_left) {
  terrane_token* const mine = push(kept, 1);
  push(kept, 2);
  take_oldest();
  EXPECT_FALSE(stack_.take_older(mine));
}

TEST_F(token_stack_of_a_processor, takes_the_newest_that_is_wanted) {
  for (int i = 0; i < 5; ++i) push(plain, i);
  terrane_token token;
  ASSERT_TRUE(stack_.take_newest(token, [](const auto& seen) { return number_of(seen) < 3; }));
  EXPECT_EQ(number_of(token), 2);
  EXPECT_FALSE(stack_.take_newest(token, [](const auto& seen) { return number_of(seen) == 2; }));
}

TEST_F(token_stack_of_a_processor, says_so_when_there_is_no_room_left) {
  const auto overfill = [&] {
    for (std::size_t i = 0; i <= places; ++i) push(kept, 0);
  };
  EXPECT_EXIT(overfill(), testing::ExitedWithCode(122), "tokens lie in the stack");
}

TEST(token_traits, say_what_stays_and_what_it_weighs) {
  const carrying_kind heavy{
      {"heavy", nullptr, 0, 0, 0, 0, nullptr, nullptr, nullptr, carries_memory | stays_in_node},
      [](const terrane_token&) { return std::size_t{4096}; },
      [](const terrane_token&, node_id) {}};
  EXPECT_EQ(weight_of({&heavy, {}}), 4096u);
  EXPECT_FALSE(may_leave_node({&heavy, {}}));
  EXPECT_EQ(weight_of({&plain, {}}), 0u);
  EXPECT_TRUE(may_leave_node({&plain, {}}));
  EXPECT_FALSE(is_kept({&plain, {}}));
  EXPECT_TRUE(is_kept({&kept, {}}));
}

}  // namespace
}  // namespace terrane
