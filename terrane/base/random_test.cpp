// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

namespace terrane {
namespace {

std::vector<std::uint64_t> first_of(random_stream stream, int how_many) {
  std::vector<std::uint64_t> drawn;
  for (int i = 0; i < how_many; ++i) drawn.push_back(stream.next());
  return drawn;
}

/// Numbers that two streams have in common: of 64 bits each, there should be none.
std::size_t common_of(const random_stream& one, const random_stream& other) {
  const auto left = first_of(one, 2000), right = first_of(other, 2000);
  const std::set<std::uint64_t> known(left.begin(), left.end());
  std::size_t common = 0;
  for (const std::uint64_t each : right) common += known.contains(each);
  return common;
}

TEST(random, the_same_seed_and_number_give_the_same_stream) {
  EXPECT_EQ(first_of(random_stream(7, 3), 100), first_of(random_stream(7, 3), 100));
}

TEST(random, the_streams_of_one_seed_have_nothing_in_common) {
  for (std::uint64_t one = 0; one < 8; ++one)
    for (std::uint64_t other = 0; other < one; ++other)
      ASSERT_EQ(common_of(random_stream(1, one), random_stream(1, other)), 0u)
          << "numbers " << one << " and " << other;
}

TEST(random, the_streams_of_two_seeds_have_nothing_in_common) {
  for (std::uint64_t one = 0; one < 8; ++one)
    for (std::uint64_t other = 0; other < one; ++other)
      ASSERT_EQ(common_of(random_stream(one, 5), random_stream(other, 5)), 0u)
          << "seeds " << one << " and " << other;
}

TEST(random, no_stream_repeats_itself_soon) {
  const auto drawn = first_of(random_stream(1, 1), 100'000);
  EXPECT_EQ(std::set<std::uint64_t>(drawn.begin(), drawn.end()).size(), drawn.size());
}

TEST(random, below_stays_in_range_and_reaches_both_ends) {
  for (const std::uint32_t bound : {1u, 2u, 3u, 10u, 1000u}) {
    random_stream stream(11, bound);
    std::uint32_t least = bound, most = 0;
    for (int i = 0; i < 50'000; ++i) {
      const std::uint32_t drawn = stream.below(bound);
      ASSERT_LT(drawn, bound);
      least = std::min(least, drawn);
      most = std::max(most, drawn);
    }
    EXPECT_EQ(least, 0u);
    EXPECT_EQ(most, bound - 1);
  }
  random_stream stream(11);
  for (int i = 0; i < 1000; ++i) EXPECT_LT(stream.below(0xffffffffu), 0xffffffffu);
}

TEST(random, below_is_even_to_within_chance) {
  constexpr int classes = 16, draws = 160'000;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    random_stream stream(seed, 99);
    std::array<int, classes> seen{};
    for (int i = 0; i < draws; ++i) ++seen[stream.below(classes)];
    double chi_square = 0;
    for (const int each : seen) {
      const double off = each - draws / classes;
      chi_square += off * off / (draws / classes);
    }
    // 15 degrees of freedom: above 50 once in 100,000.
    EXPECT_LT(chi_square, 50) << "seed " << seed;
  }
}

}  // namespace
}  // namespace terrane
