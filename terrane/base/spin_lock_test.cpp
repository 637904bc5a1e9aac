// SPDX-License-Identifier: Apache-2.0
#include "terrane/base/spin_lock.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace terrane {
namespace {

TEST(spin_lock, a_held_one_cannot_be_had_until_it_is_let_go) {
  spin_lock lock;
  EXPECT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  EXPECT_TRUE(lock.try_lock());
  lock.unlock();
}

TEST(spin_lock, four_threads_count_without_losing_a_step) {
  constexpr int threads = 4, steps = 200'000;
  spin_lock lock;
  // Two plain counters: what the last holder wrote must be seen whole.
  long first = 0, second = 0, torn = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      for (int i = 0; i < steps; ++i) {
        const std::lock_guard hold(lock);
        torn += first != second;
        ++first;
        ++second;
      }
    });
  for (std::thread& each : all) each.join();
  EXPECT_EQ(first, threads * steps);
  EXPECT_EQ(second, threads * steps);
  EXPECT_EQ(torn, 0);
}

TEST(spin_lock, threads_that_only_try_never_hold_it_together) {
  constexpr int threads = 4, steps = 20'000;
  spin_lock lock;
  long had = 0;
  std::vector<long> mine(threads, 0);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      for (int i = 0; i < steps; ++i) {
        if (!lock.try_lock()) continue;
        ++had;
        ++mine[static_cast<std::size_t>(t)];
        lock.unlock();
      }
    });
  for (std::thread& each : all) each.join();
  long sum = 0;
  for (const long each : mine) sum += each;
  EXPECT_EQ(had, sum);
  EXPECT_GT(had, 0);
}

}  // namespace
}  // namespace terrane
