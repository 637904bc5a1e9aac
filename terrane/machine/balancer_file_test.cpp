// SPDX-License-Identifier: Apache-2.0
#include "terrane/machine/balancer_file.hpp"

#include <gtest/gtest.h>

namespace terrane {
namespace {

std::string problem_of(const std::string& specification) {
  const auto found = find_balancer(specification);
  return found ? "" : found.problem();
}

TEST(balancer_file, a_word_without_a_slash_is_a_name_of_the_table) {
  EXPECT_EQ(place_of_balancer("rand:probes=2").path, "");
  EXPECT_TRUE(find_balancer("rand:probes=2"));
  EXPECT_NE(problem_of("mine.so").find("there is no balancer 'mine.so'"), std::string::npos);
}

TEST(balancer_file, a_path_ends_at_the_colon_before_the_parameters) {
  const auto place = place_of_balancer("/a:b/mine.so:hops=5");
  EXPECT_EQ(place.path, "/a:b/mine.so");
  EXPECT_EQ(place.rest, ":hops=5");
  EXPECT_EQ(place_of_balancer("./mine.so").rest, "");
}

TEST(balancer_file, what_cannot_be_loaded_is_a_sentence_with_the_loaders_reason) {
  const std::string problem = problem_of("./no_such_file.so");
  EXPECT_NE(problem.find("./no_such_file.so cannot be loaded: "), std::string::npos) << problem;
}

TEST(balancer_file, a_library_that_holds_no_balancer_is_named) {
  // The C library's loader exists wherever this test runs.
  const std::string problem = problem_of("/lib/../lib64/ld-linux-x86-64.so.2");
  EXPECT_NE(problem.find("holds no balancer"), std::string::npos) << problem;
}

}  // namespace
}  // namespace terrane
