// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/known_loads.hpp"

#include <gtest/gtest.h>

#include <map>

#include "terrane/base/random.hpp"

namespace terrane {
namespace {

TEST(known_loads, agree_with_an_ordered_map) {
  known_loads loads;
  std::map<node_id, int> expected;
  random_stream random(7, 1);
  for (int i = 0; i < 20'000; ++i) {
    const node_id node = random.below(i < 10'000 ? 40 : 5000) * 64;
    const int load = static_cast<int>(random.below(3));
    loads.set(node, load);
    expected[node] = load;
    const node_id other = random.below(5000) * 64;
    EXPECT_EQ(loads.of(node), load);
    EXPECT_EQ(loads.of(other), expected.count(other) != 0 ? expected[other] : 0);
  }
  for (const auto& [node, load] : expected) EXPECT_EQ(loads.of(node), load);
}

TEST(known_loads, of_a_node_that_was_idle_always_is_0) {
  known_loads loads;
  EXPECT_EQ(loads.of(3), 0);
  loads.set(3, 0);
  EXPECT_EQ(loads.of(3), 0);
  loads.set(3, 5);
  loads.set(3, 0);
  EXPECT_EQ(loads.of(3), 0);
}

}  // namespace
}  // namespace terrane
