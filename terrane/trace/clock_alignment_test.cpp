// SPDX-License-Identifier: Apache-2.0
#include "terrane/trace/clock_alignment.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "terrane/base/random.hpp"

namespace terrane {
namespace {

constexpr std::int64_t second = 1'000'000'000;

/// The other clock: ahead by `offset` at 0, and faster by `drift`.
struct skewed_clock {
  std::int64_t offset;
  double drift;
  std::int64_t at(std::int64_t here) const {
    return here + offset + std::llround(static_cast<double>(here) * drift);
  }
};

clock_exchange exchange(const skewed_clock& other, std::int64_t sent, std::int64_t way_there,
                        std::int64_t way_back) {
  return {sent, other.at(sent + way_there), sent + way_there + way_back};
}

/// Bursts of 8 exchanges, every 10 s; each way takes `least` ns and up to `more` ns longer.
std::vector<clock_exchange> bursts(const skewed_clock& other, int how_many, std::int64_t least,
                                   std::uint32_t more_there, std::uint32_t more_back,
                                   random_stream& dice) {
  std::vector<clock_exchange> all;
  for (int burst = 0; burst < how_many; ++burst) {
    std::int64_t at = burst * 10 * second;
    for (int i = 0; i < 8; ++i) {
      all.push_back(exchange(other, at, least + dice.below(more_there + 1),
                             least + dice.below(more_back + 1)));
      at = all.back().received + 1000;
    }
  }
  return all;
}

TEST(clock_alignment, keeps_its_bound_for_every_skew_drift_and_delay) {
  random_stream dice(7, 1);
  for (const std::int64_t offset : {-5 * second, -1'000'000l, 0l, 3'000l, 5 * second})
    for (const double drift : {-200e-6, -1e-6, 0.0, 50e-6, 200e-6})
      for (const std::uint32_t slow_way : {0u, 20'000u, 2'000'000u})
        for (const int how_many : {1, 2, 7}) {
          const skewed_clock other{offset, drift};
          const clock_alignment found(
              bursts(other, how_many, 30'000, slow_way, slow_way / 10, dice));
          ASSERT_TRUE(found.is_known());
          for (std::int64_t here = -2 * second; here < 70 * second; here += second / 3)
            ASSERT_LE(std::abs(found.there_at(here) - other.at(here)), found.error_at(here))
                << offset << ' ' << drift << ' ' << slow_way << ' ' << how_many << ' ' << here;
        }
}

TEST(clock_alignment, is_as_exact_as_the_least_round_trip) {
  const skewed_clock other{5 * second, 200e-6};
  std::vector<clock_exchange> all;
  for (const std::int64_t at : {0l, 10 * second, 20 * second}) {
    all.push_back(exchange(other, at, 900'000, 100'000));
    all.push_back(exchange(other, at + 2'000'000, 10'000, 10'000));  // the one that counts
    all.push_back(exchange(other, at + 4'000'000, 100'000, 3'000'000));
  }
  const clock_alignment found(all);
  for (std::int64_t here = second; here < 20 * second; here += second) {
    EXPECT_LE(found.error_at(here), 10'000 + 5'100);  // half a round trip, and 5 s of wander
    EXPECT_NEAR(static_cast<double>(found.there_at(here)), static_cast<double>(other.at(here)), 50);
  }
  EXPECT_NEAR(found.drift(), 200e-6, 1e-8);
  EXPECT_FALSE(found.may_be_equal());
}

TEST(clock_alignment, tells_a_one_sided_delay_by_its_bound_alone) {
  const skewed_clock other{0, 0};
  const clock_alignment found({exchange(other, 0, 1'000'000, 0)});
  EXPECT_EQ(found.there_at(0), 500'000);  // wrong by half the round trip, as it says
  EXPECT_GE(found.error_at(500'000), 500'000);
  EXPECT_TRUE(found.may_be_equal());
}

TEST(clock_alignment, without_exchanges_leaves_times_as_they_are) {
  const clock_alignment none;
  EXPECT_FALSE(none.is_known());
  EXPECT_EQ(none.there_at(1234), 1234);
  EXPECT_EQ(none.error_at(1234), 0);
  const clock_alignment impossible({{10, 0, 5}, {INT64_MIN, 0, INT64_MAX}});
  EXPECT_FALSE(impossible.is_known());
}

TEST(clock_alignment, knows_less_the_further_it_is_from_an_exchange) {
  const skewed_clock other{second, 0};
  const clock_alignment one({exchange(other, 0, 5'000, 5'000)});
  EXPECT_LT(one.error_at(5'000), 6'000);
  EXPECT_GT(one.error_at(second), 1'000'000);  // the drift is not known
}

}  // namespace
}  // namespace terrane
