// SPDX-License-Identifier: Apache-2.0
#include "terrane/transport/traffic.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "terrane/base/random.hpp"

namespace terrane {

TEST(traffic, of_nobody_is_no_pair) { EXPECT_TRUE(traffic().pairs().empty()); }

TEST(traffic, is_counted_by_direction) {
  traffic all;
  all.count(1, 0, 10);
  all.count(0, 1, 100);
  all.count(1, 0, 1);
  const auto pairs = all.pairs();
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(pairs[0].from, 0u);
  EXPECT_EQ(pairs[0].messages, 1u);
  EXPECT_EQ(pairs[0].bytes, 100u);
  EXPECT_EQ(pairs[1].from, 1u);
  EXPECT_EQ(pairs[1].messages, 2u);
  EXPECT_EQ(pairs[1].bytes, 11u);
}

TEST(traffic, of_many_pairs_is_that_of_a_map) {
  traffic all;
  std::map<std::pair<node_id, node_id>, std::pair<std::uint64_t, std::uint64_t>> known;
  random_stream dice(1);
  for (int i = 0; i < 200'000; ++i) {
    const node_id from = dice.below(10'000), to = dice.below(8) == 0 ? dice.below(10'000) : 9'999;
    const std::size_t bytes = dice.below(1000);
    all.count(from, to, bytes);
    auto& [messages, sum] = known[{from, to}];
    ++messages;
    sum += bytes;
  }
  const auto pairs = all.pairs();
  ASSERT_EQ(pairs.size(), known.size());
  auto next = known.begin();
  for (const pair_traffic& each : pairs) {
    EXPECT_EQ(std::pair(each.from, each.to), next->first);
    EXPECT_EQ(std::pair(each.messages, each.bytes), next->second);
    ++next;
  }
}

}  // namespace terrane
