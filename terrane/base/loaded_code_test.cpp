// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/loaded_code.hpp"

#include <gtest/gtest.h>

extern "C" const char __executable_start[];

namespace terrane {

namespace {

int something = 1;

TEST(loaded_code, the_executable_begins_where_the_linker_says) {
  EXPECT_EQ(executable_extent().start, reinterpret_cast<std::uintptr_t>(__executable_start));
}

TEST(loaded_code, a_test_is_linked_into_its_executable) {
  EXPECT_EQ(own_extent().start, executable_extent().start);
  EXPECT_TRUE(own_extent().holds(reinterpret_cast<std::uintptr_t>(&something)));
  const int on_the_stack = 1;
  EXPECT_FALSE(own_extent().holds(reinterpret_cast<std::uintptr_t>(&on_the_stack)));
}

}  // namespace

}  // namespace terrane
