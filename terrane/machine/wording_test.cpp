// SPDX-License-Identifier: Apache-2.0
// wording_test.cpp: tests how users' text is split, and what is reported about wrong words.
#include "terrane/machine/wording.hpp"

#include <gtest/gtest.h>

#include <array>

namespace terrane {
namespace {

using words = std::vector<std::string>;

TEST(one_line, a_plain_sentence_stays_as_it_is) {
  EXPECT_EQ(one_line("there is no file 'größe.json'"), "there is no file 'größe.json'");
}

TEST(one_line, what_cannot_be_printed_is_shown_in_hex) {
  EXPECT_EQ(one_line("a\nb\x1b[31m\x7f"), "a\\x0ab\\x1b[31m\\x7f");
  EXPECT_EQ(one_line("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(one_line("\xc2\x9b"), "\\xc2\\x9b") << "a control character of two bytes";
}

TEST(one_line, a_long_sentence_keeps_its_head_and_its_tail) {
  const std::string line = one_line("no '" + std::string(100'000, 'x') + "': choose another");
  EXPECT_LT(line.size(), 500u);
  EXPECT_TRUE(line.starts_with("no 'xxx"));
  EXPECT_TRUE(line.ends_with("xxx': choose another"));
}

TEST(nearest, a_slip_of_the_pen_finds_its_name_and_nonsense_none) {
  const std::array<std::string_view, 4> names{"queens", "fib", "barrier", "--nodes"};
  EXPECT_EQ(nearest("quens", names), "queens");
  EXPECT_EQ(nearest("fob", names), "fib");
  EXPECT_EQ(nearest("bar", names), "barrier");
  EXPECT_EQ(nearest("--nod", names), "--nodes");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("xyz", names), "");
  EXPECT_EQ(nearest(std::string(1'000'000, 'q'), names), "");
}

TEST(split_words, blanks_separate_and_quotes_and_backslashes_keep_them) {
  EXPECT_EQ(split_words("").value(), words());
  EXPECT_EQ(split_words("  --nodes 4\n--quiet\t").value(), (words{"--nodes", "4", "--quiet"}));
  EXPECT_EQ(split_words("'a b' \"c d\" e\\ f '' g'h i'j").value(),
            (words{"a b", "c d", "e f", "", "gh ij"}));
  EXPECT_EQ(split_words("'\\' \"\\\"\"").value(), (words{"\\", "\""}));
}

TEST(split_words, an_open_quote_is_an_error) {
  const auto split = split_words("--stats 'json=a b");
  ASSERT_FALSE(split);
  EXPECT_EQ(split.problem(), "a quote is not closed in 'json=a b'");
}

TEST(join_words, whatever_the_words_they_come_back) {
  const words all{"--nodes", "4", "", " ", "a b", "it's", "\"", "\\", "a\nb", "\xff\x01", "'"};
  EXPECT_EQ(split_words(join_words(all)).value(), all);
  EXPECT_EQ(join_words(words{"--nodes", "4"}), "--nodes 4");
}

}  // namespace
}  // namespace terrane
