// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/freed_blocks.hpp"

#include <gtest/gtest.h>

namespace terrane {
namespace {

TEST(freed_blocks, tell_who_frees_one_of_the_last_again) {
  freed_blocks freed;
  void* const one = std::malloc(100);
  void* const other = std::malloc(100);
  EXPECT_TRUE(freed.add(one));
  EXPECT_TRUE(freed.add(other));
  EXPECT_FALSE(freed.add(one));
  EXPECT_FALSE(freed.add(other));
  EXPECT_TRUE(freed.add(nullptr));
  EXPECT_TRUE(freed.add(nullptr));
}

TEST(freed_blocks, keep_the_newest_however_large_and_few_bytes_else) {
  freed_blocks freed;
  void* const small = std::malloc(100);
  void* const large = std::malloc(2 * freed_blocks::bytes_max);
  EXPECT_TRUE(freed.add(small));
  EXPECT_TRUE(freed.add(large));
  EXPECT_FALSE(freed.add(large));
  for (std::size_t i = 0; i < 2 * freed_blocks::blocks_max; ++i)
    EXPECT_TRUE(freed.add(std::malloc(100)));
}

}  // namespace
}  // namespace terrane
