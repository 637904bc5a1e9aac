// SPDX-License-Identifier: Apache-2.0
#include "terrane/balance/nop.hpp"

#include <gtest/gtest.h>

#include "terrane/balance/fake_node_view_test.hpp"

namespace terrane {
namespace {

TEST(nop, whatever_it_hears_it_does_nothing) {
  fake_node_view node(1, 4);
  balance::nop policy;
  node.tokens = 100;
  policy.on_start(node);
  policy.on_surplus(node);
  policy.on_note(node, 2, {1, 2, 3});
  policy.on_token(node, 2, {5});
  policy.on_tick(node);
  node.tokens = 0;
  policy.on_idle(node);
  EXPECT_TRUE(node.notes.empty());
  EXPECT_TRUE(node.gifts.empty());
  EXPECT_TRUE(node.logs.empty());
  EXPECT_TRUE(node.surplus_marks.empty());
  EXPECT_TRUE(node.enough_marks.empty());
  EXPECT_TRUE(node.periods.empty());
}

}  // namespace
}  // namespace terrane
