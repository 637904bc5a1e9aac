// SPDX-License-Identifier: Apache-2.0
// result_test.cpp: what a result promises to those who return one and those who get one.
#include "terrane/base/result.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace terrane {
namespace {

result<int> half(int number) {
  if (number % 2 != 0) return error{std::to_string(number) + " is odd; give an even number"};
  return number / 2;
}

result<void> refuse(bool refused) {
  if (refused) return error{"refused"};
  return {};
}

TEST(result, a_value_comes_back_as_it_was_given) {
  const auto answer = half(84);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer.value(), 42);
}

TEST(result, an_error_comes_back_as_its_sentence) {
  const auto answer = half(7);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.problem(), "7 is odd; give an even number");
}

TEST(result, a_move_only_value_is_moved_out) {
  result<std::unique_ptr<int>> answer = std::make_unique<int>(5);
  static_assert(!std::is_copy_constructible_v<std::unique_ptr<int>>);
  ASSERT_TRUE(answer);
  const std::unique_ptr<int> taken = std::move(answer).value();
  EXPECT_EQ(*taken, 5);
}

TEST(result, a_move_only_result_moves_from_hand_to_hand) {
  result<std::unique_ptr<int>> first = std::make_unique<int>(5);
  result<std::unique_ptr<int>> second = std::move(first);
  ASSERT_TRUE(second);
  EXPECT_EQ(*second.value(), 5);
}

TEST(result, a_value_is_made_from_what_converts_to_it) {
  struct base {
    virtual ~base() = default;
    virtual int number() const { return 1; }
  };
  struct derived : base {
    int number() const override { return 2; }
  };
  const auto make = []() -> result<std::unique_ptr<base>> { return std::make_unique<derived>(); };
  EXPECT_EQ(make().value()->number(), 2);

  const auto name = []() -> result<std::string> { return "terrane"; };
  EXPECT_EQ(name().value(), "terrane");
}

TEST(result, a_string_value_is_not_taken_for_an_error) {
  const result<std::string> answer = std::string("no such file");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer.value(), "no such file");
}

TEST(result, a_value_can_be_changed_in_place) {
  result<std::vector<int>> answer = std::vector<int>{1, 2};
  answer.value().push_back(3);
  EXPECT_EQ(answer.value().size(), 3u);
}

TEST(result, a_value_may_be_given_in_braces) {
  struct place {
    int node;
    int processor;
  };
  const auto find = []() -> result<place> { return {{3, 4}}; };
  EXPECT_EQ(find().value().node, 3);
  EXPECT_EQ(find().value().processor, 4);
}

TEST(result, a_type_without_default_constructor_is_fine) {
  struct stubborn {
    explicit stubborn(int from) : number(from) {}
    int number;
  };
  const result<stubborn> good = stubborn(9);
  const result<stubborn> bad = error{"no"};
  EXPECT_EQ(good.value().number, 9);
  EXPECT_EQ(bad.problem(), "no");
}

TEST(result, a_false_value_is_still_a_value) {
  const result<bool> answer = false;
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer.value());
}

TEST(result, one_assignment_turns_an_error_into_a_value_and_back) {
  result<int> answer = error{"not yet"};
  answer = 3;
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer.value(), 3);
  answer = error{"no longer"};
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.problem(), "no longer");
}

TEST(result, a_result_of_nothing_says_done_or_why_not) {
  EXPECT_TRUE(refuse(false));
  refuse(false).value();
  const auto answer = refuse(true);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.problem(), "refused");
}

TEST(result, a_result_never_turns_into_a_number_by_itself) {
  static_assert(!std::is_convertible_v<result<int>, bool>);
  static_assert(!std::is_convertible_v<result<int>, int>);
  static_assert(!std::is_convertible_v<result<void>, bool>);
}

TEST(result_death, taking_the_value_of_an_error_aborts_with_its_sentence_and_the_callers_line) {
  EXPECT_DEATH(half(7).value(), "result_test.cpp:[0-9]+: expected a value, got .*: 7 is odd");
  EXPECT_DEATH(refuse(true).value(), "result_test.cpp:[0-9]+: expected no error, got: refused");
}

TEST(result_death, asking_a_value_for_its_problem_aborts) {
  EXPECT_DEATH((void)half(8).problem(), "_test.cpp:[0-9]+: expected an error, got a value");
  EXPECT_DEATH((void)refuse(false).problem(), "_test.cpp:[0-9]+: expected an error, got none");
}

}  // namespace
}  // namespace terrane
