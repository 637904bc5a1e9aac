// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

/// One sentence for a person: no line breaks, and no full stop to be put into another.
void expect_one_sentence(const std::string& text) {
  EXPECT_EQ(text.find('\n'), text.npos) << text;
  EXPECT_FALSE(text.empty());
  EXPECT_NE(text.back(), '.') << text;
}

std::string problem_of(std::string_view specification) {
  const auto chosen = choose_balancer(specification);
  if (chosen) {
    ADD_FAILURE() << specification << " was taken";
    return "";
  }
  expect_one_sentence(chosen.problem());
  return chosen.problem();
}

TEST(balancer_table, every_entry_has_a_name_of_its_own_and_a_summary) {
  std::set<std::string_view> names;
  for (const balancer_entry& each : balancers()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_FALSE(each.summary.empty()) << each.name;
    EXPECT_TRUE(each.head.starts_with(std::string(each.name) + ".hpp: ")) << each.head;
  }
  for (const char* each : {"nop", "minima", "dual", "spn", "shis", "snd", "his", "range",
                           "catapult", "rand", "adaptive", "central"})
    EXPECT_TRUE(names.contains(each));
}

TEST(balancer_table, every_entry_can_be_chosen_and_makes_a_new_policy_each_time) {
  for (const balancer_entry& each : balancers()) {
    auto chosen = choose_balancer(each.name);
    ASSERT_TRUE(chosen) << chosen.problem();
    const auto one = chosen.value()(), other = chosen.value()();
    ASSERT_NE(one, nullptr);
    ASSERT_NE(other, nullptr);
    EXPECT_NE(one, other);
    fake_node_view node(0, 4);
    one->on_start(node);
    one->on_idle(node);
  }
}

TEST(balancer_table, parameters_reach_the_policy) {
  auto chosen = choose_balancer("rand:probes=3,threshold=7");
  ASSERT_TRUE(chosen) << chosen.problem();
  fake_node_view node(0, 16);
  const auto policy = chosen.value()();
  policy->on_start(node);
  EXPECT_EQ(node.surplus_marks.at(0), 7);
  policy->on_idle(node);
  EXPECT_EQ(node.notes.size(), 3u);
}

TEST(balancer_table, one_parameter_leaves_the_others_at_their_defaults) {
  auto chosen = choose_balancer("rand:threshold=0");
  ASSERT_TRUE(chosen) << chosen.problem();
  fake_node_view node(0, 16);
  const auto policy = chosen.value()();
  policy->on_start(node);
  EXPECT_EQ(node.surplus_marks.at(0), 0);
  policy->on_idle(node);
  EXPECT_EQ(node.notes.size(), 2u);
}

TEST(balancer_table, parameters_of_central_that_do_not_go_together_are_a_sentence) {
  EXPECT_TRUE(choose_balancer("central:sample=10000"));
  EXPECT_TRUE(choose_balancer("central:sample=10,migration=10"));
  EXPECT_TRUE(choose_balancer("central:sample=100,migration=569,pending=25"));
  EXPECT_NE(problem_of("central:sample=1000,migration=999").find("999"), std::string::npos);
  EXPECT_NE(problem_of("central:sample=0").find("sample"), std::string::npos);
  EXPECT_TRUE(choose_balancer("central:sample=100,migration=570", "testbed"));
  const auto refused = choose_balancer("central:sample=100,migration=569", "testbed");
  ASSERT_FALSE(refused);
  expect_one_sentence(refused.problem());
  EXPECT_NE(refused.problem().find("569.9"), std::string::npos) << refused.problem();
}

TEST(balancer_table, an_unknown_name_is_a_sentence_that_lists_the_known_ones) {
  const std::string problem = problem_of("bogus");
  EXPECT_NE(problem.find("'bogus'"), problem.npos) << problem;
  for (const balancer_entry& each : balancers())
    EXPECT_NE(problem.find(each.name), problem.npos) << problem;
  problem_of("");
  problem_of("Rand");
  problem_of(":probes=1");
  problem_of("rand ");
}

TEST(balancer_table, a_parameter_the_balancer_does_not_take_is_a_sentence_that_names_both) {
  for (const char* each : {"rand:bogus=1", "rand:probes=1,bogus=1", "rand:probe=1"}) {
    const std::string problem = problem_of(each);
    EXPECT_NE(problem.find("rand"), problem.npos) << problem;
    EXPECT_NE(
        problem.find(std::string_view(each).find("bogus") != std::string_view::npos ? "'bogus'"
                                                                                    : "'probe'"),
        problem.npos)
        << problem;
  }
  const std::string problem = problem_of("nop:probes=1");
  EXPECT_NE(problem.find("nop"), problem.npos) << problem;
  EXPECT_NE(problem.find("'probes'"), problem.npos) << problem;
}

TEST(balancer_table, what_is_not_a_whole_number_from_zero_up_is_a_sentence_that_quotes_it) {
  for (const auto& [specification, quoted] : {std::pair{"rand:probes=many", "'many'"},
                                              {"rand:probes=1.5", "'1.5'"},
                                              {"rand:probes=-1", "'-1'"},
                                              {"rand:probes=", "''"},
                                              {"rand:probes", "''"},
                                              {"rand:probes=3x", "'3x'"},
                                              {"rand:probes=99999999999", "'99999999999'"},
                                              {"rand:threshold=2,probes= 3", "' 3'"}}) {
    const std::string problem = problem_of(specification);
    EXPECT_NE(problem.find(quoted), problem.npos) << problem;
    EXPECT_NE(problem.find("probes"), problem.npos) << problem;
    EXPECT_NE(problem.find("rand"), problem.npos) << problem;
  }
}

TEST(balancer_table, a_separator_without_anything_behind_it_is_not_a_parameter) {
  EXPECT_TRUE(choose_balancer("rand:"));
}

TEST(balancer_table, what_stands_between_two_commas_must_be_a_parameter) {
  problem_of("rand:probes=1,,threshold=2");
  problem_of("rand:,probes=1");
}

TEST(balancer_table, a_parameter_given_twice_is_a_sentence) {
  const std::string problem = problem_of("rand:probes=1,probes=2");
  EXPECT_NE(problem.find("probes"), problem.npos) << problem;
}

}  // namespace
}  // namespace terrane
