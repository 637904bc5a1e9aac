// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/bounded_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace terrane {
namespace {

TEST(bounded_text, is_what_was_added_in_order) {
  bounded_text text;
  EXPECT_STREQ(text.c_str(), "");
  text.add("R-%d: ", 201);
  text.add("%s", "an activation ended");
  EXPECT_STREQ(text.c_str(), "R-201: an activation ended");
}

TEST(bounded_text, leaves_out_what_does_not_fit) {
  bounded_text text;
  const std::string much(3000, 'x');
  for (int i = 0; i < 3; ++i) text.add("%s", much.c_str());
  EXPECT_EQ(std::string(text.c_str()), std::string(4095, 'x'));
}

TEST(end_with_sentence, prints_stdout_first_and_ends_the_process) {
  EXPECT_EXIT(end_with_sentence("R-1: it is over", 122), testing::ExitedWithCode(122),
              "^terrane: R-1: it is over\n$");
}

}  // namespace
}  // namespace terrane
