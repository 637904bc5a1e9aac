// SPDX-License-Identifier: Apache-2.0
// node_share_test.cpp: what a node says of its part of a run arrives whole.
#include "terrane/machine/node_share.hpp"

#include <gtest/gtest.h>

#include "terrane/machine/live_frames.hpp"

namespace terrane {
namespace {

TEST(node_share, what_is_left_of_all_nodes_is_named) {
  run_outcome one, two, whole;
  one.deadlock = true;
  one.left.frames = 2;
  one.left.objects = 3;
  one.left.awaited.push_back({1, 0, "the lock", 4});
  two.left.frames = 1;
  two.left.objects = 1;
  two.left.awaited.push_back({2, 1, "the mailbox", 1});
  two.left.threads.push_back({2, 1, "reader", "a message"});
  two.tokens_left = 5;
  ASSERT_TRUE(add_share(whole, share_text(one)));
  ASSERT_TRUE(add_share(whole, share_text(two)));
  EXPECT_TRUE(whole.deadlock);
  EXPECT_EQ(whole.tokens_left, 5u);
  EXPECT_EQ(whole.left.frames, 3u);
  EXPECT_EQ(whole.left.objects, 4u);
  ASSERT_EQ(whole.left.awaited.size(), 2u);
  EXPECT_EQ(whole.left.awaited[0].kind, "the lock");
  EXPECT_EQ(whole.left.awaited[0].waiting, 4u);
  EXPECT_EQ(whole.left.awaited[1].node, 1u);
  ASSERT_EQ(whole.left.threads.size(), 1u);
  EXPECT_EQ(whole.left.threads[0].name, "reader");
}

TEST(node_share, what_is_no_share_is_refused) {
  run_outcome whole;
  EXPECT_FALSE(add_share(whole, "{"));
  EXPECT_FALSE(add_share(whole, "12"));
}

}  // namespace
}  // namespace terrane
