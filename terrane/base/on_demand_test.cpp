// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/on_demand.hpp"

#include <gtest/gtest.h>

namespace terrane {
namespace {

struct counted {
  static inline int alive = 0;
  counted() { ++alive; }
  ~counted() { --alive; }
  int value = 7;
};

TEST(on_demand, it_is_made_by_the_first_change_and_once) {
  counted::alive = 0;
  {
    on_demand<counted> one;
    EXPECT_FALSE(one.is_made());
    EXPECT_EQ(one.get().value, 7) << "as one that nobody changed";
    EXPECT_FALSE(one.is_made());
    one.make().value = 8;
    one.make().value += 1;
    EXPECT_EQ(one.get().value, 9);
    EXPECT_EQ(on_demand<counted>().get().value, 7);
    EXPECT_EQ(counted::alive, 2) << "the untouched one and this one";
  }
  EXPECT_EQ(counted::alive, 1);
}

}  // namespace
}  // namespace terrane
