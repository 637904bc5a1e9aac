// SPDX-License-Identifier: Apache-2.0
// token_pool_test.cpp: the pool's two ends, when it is hungry, and that concurrent puts and takes
// lose nothing.
#include "terrane/core/token_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace terrane {
namespace {

terrane_token make_token(std::uint64_t number) {
  terrane_token made{};
  std::memcpy(made.args, &number, sizeof number);
  return made;
}
std::uint64_t number_of(const terrane_token& token) {
  std::uint64_t number;
  std::memcpy(&number, token.args, sizeof number);
  return number;
}

bool put(token_pool& pool, const terrane_token& token) { return pool.put_newest(token); }

/// Takes the oldest token and returns its number; -1 if there was none.
int take(token_pool& pool) {
  terrane_token token;
  return pool.take_oldest(token) ? static_cast<int>(number_of(token)) : -1;
}

TEST(token_pool, the_oldest_is_taken_first) {
  token_pool pool(8);
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_TRUE(put(pool, make_token(i)));
  EXPECT_EQ(pool.size(), 5u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(take(pool), i);
  EXPECT_EQ(take(pool), -1);
  EXPECT_EQ(pool.size(), 0u);
}

TEST(token_pool, an_arrival_from_another_node_counts_as_the_oldest) {
  token_pool pool(8);
  put(pool, make_token(1));
  put(pool, make_token(2));
  pool.put_oldest(make_token(9));
  EXPECT_EQ(take(pool), 9);
  EXPECT_EQ(take(pool), 1);
  EXPECT_EQ(take(pool), 2);
}

TEST(token_pool, one_that_nobody_takes_from_wants_nothing) {
  token_pool pool(0);
  EXPECT_FALSE(pool.hungry());
  EXPECT_FALSE(put(pool, make_token(1)));
  EXPECT_EQ(pool.size(), 0u);
}

TEST(token_pool, arrivals_are_taken_in_even_by_a_pool_that_wants_nothing) {
  token_pool pool(0);
  for (std::uint64_t i = 0; i < 100; ++i) pool.put_oldest(make_token(i));
  EXPECT_EQ(pool.size(), 100u);
  for (int i = 99; i >= 0; --i) EXPECT_EQ(take(pool), i);
  EXPECT_FALSE(pool.hungry());
}

TEST(token_pool, it_is_hungry_until_the_target_and_again_below_half_of_it) {
  token_pool pool(8);
  EXPECT_TRUE(pool.hungry());
  for (std::uint64_t i = 0; i < 8; ++i) {
    EXPECT_TRUE(pool.hungry()) << "with " << i;
    EXPECT_TRUE(put(pool, make_token(i)));
  }
  EXPECT_FALSE(pool.hungry());
  EXPECT_FALSE(put(pool, make_token(8))) << "enough is enough";
  for (int left = 7; left >= 4; --left) {
    take(pool);
    EXPECT_FALSE(pool.hungry()) << "with " << left;
    EXPECT_FALSE(put(pool, make_token(9)));
  }
  take(pool);
  EXPECT_TRUE(pool.hungry()) << "three of eight";
  for (int i = 3; i < 8; ++i) EXPECT_TRUE(put(pool, make_token(10)));
  EXPECT_FALSE(pool.hungry());
  EXPECT_EQ(pool.size(), 8u);
}

TEST(token_pool, arrivals_can_sate_it) {
  token_pool pool(4);
  for (std::uint64_t i = 0; i < 4; ++i) pool.put_oldest(make_token(i));
  EXPECT_FALSE(pool.hungry());
}

TEST(token_pool, concurrent_puts_and_takes_lose_and_double_nothing) {
  constexpr std::uint64_t each = 30'000;
  constexpr int givers = 2, takers = 2;
  token_pool pool(16);
  std::vector<atomic<int>> seen(givers * each);
  atomic<std::uint64_t> taken{0};
  std::vector<std::thread> threads;
  for (std::uint64_t giver = 0; giver < givers; ++giver)
    threads.emplace_back([&, giver] {
      for (std::uint64_t i = giver * each; i < (giver + 1) * each; ++i) {
        if (i % 3 == 0) {
          pool.put_oldest(make_token(i));
          continue;
        }
        while (!put(pool, make_token(i))) std::this_thread::yield();
      }
    });
  for (int taker = 0; taker < takers; ++taker)
    threads.emplace_back([&] {
      for (terrane_token token; taken.load() < givers * each;) {
        if (!pool.take_oldest(token)) {
          std::this_thread::yield();
          continue;
        }
        seen[number_of(token)].fetch_add(1);
        taken.fetch_add(1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  std::uint64_t wrong = 0;
  for (const atomic<int>& times : seen) wrong += times.load() != 1;
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(pool.size(), 0u);
  EXPECT_TRUE(pool.hungry());
}

TEST(token_pool, arrivals_beyond_the_window_wait_and_keep_their_order) {
  token_pool pool(8);
  put(pool, make_token(1000));
  for (std::uint64_t i = 0; i < 100; ++i) pool.put_oldest(make_token(i));
  EXPECT_EQ(pool.size(), 101u);
  for (int i = 99; i >= 0; --i) EXPECT_EQ(take(pool), i);
  EXPECT_EQ(take(pool), 1000);
  EXPECT_EQ(take(pool), -1);
}

TEST(token_pool, its_window_is_taken_from_by_others) {
  token_pool pool(8);
  for (std::uint64_t i = 0; i < 5; ++i) put(pool, make_token(i));
  terrane_token token;
  EXPECT_FALSE(pool.window().take_oldest(token, [](const auto&) { return false; })) << "unwanted";
  ASSERT_TRUE(pool.window().take_oldest(token, [](const auto&) { return true; }));
  EXPECT_EQ(number_of(token), 0u);
  EXPECT_EQ(take(pool), 1);
}

TEST(token_pool, what_is_shared_is_taken_in_and_comes_out_in_its_order_at_both_ends) {
  token_pool pool(8), alone(0);
  constexpr std::uint64_t most = 1000;
  for (std::uint64_t i = 0; i < most; ++i) EXPECT_TRUE(pool.share_newest(make_token(i)));
  EXPECT_EQ(pool.size(), most);
  EXPECT_EQ(pool.window().size(), token_window::capacity_for(8));
  for (std::uint64_t i = 0; i < most / 4; ++i) {
    EXPECT_EQ(take(pool), static_cast<int>(i));
    terrane_token newest;
    ASSERT_TRUE(pool.take_newest(newest, [](const terrane_token&) { return true; }));
    EXPECT_EQ(number_of(newest), most - 1 - i);
  }
  EXPECT_FALSE(alone.share_newest(make_token(1))) << "nobody would take it";
}

TEST(token_pool, one_that_waits_behind_the_window_is_found_at_either_end) {
  token_pool pool(8);
  for (std::uint64_t i = 0; i < 1000; ++i) pool.share_newest(make_token(i));
  for (const std::uint64_t wanted : {500, 3}) {
    terrane_token token;
    const auto is_it = [&](const terrane_token& seen) { return number_of(seen) == wanted; };
    EXPECT_TRUE(pool.take_newest(token, is_it));
    EXPECT_FALSE(pool.take_oldest(token, is_it)) << "it is gone";
  }
  EXPECT_EQ(pool.size(), 998u);
  EXPECT_EQ(take(pool), 0);
}

TEST(token_pool, one_is_found_where_it_was_put_and_where_it_has_moved_since) {
  for (const std::uint64_t most : {200u, 1000u}) {  // fits into the window; does not fit
    token_pool pool(8);
    std::vector<std::uint32_t> places;
    for (std::uint64_t i = 0; i < most; ++i)
      places.push_back(pool.share_newest(make_token(i)).value());
    const auto takes = [&](std::uint64_t wanted) {
      terrane_token token;
      return pool.take_near(places[wanted], token,
                            [&](const terrane_token& seen) { return number_of(seen) == wanted; });
    };
    for (std::uint64_t i = 0; i < most; i += 3) EXPECT_TRUE(takes(i));
    for (std::uint64_t i = most; i-- > 0;) EXPECT_EQ(takes(i), i % 3 != 0) << i;
    EXPECT_EQ(pool.size(), 0u);
  }
}

TEST(token_pool, what_is_taken_out_of_the_middle_leaves_the_rest_in_order) {
  for (const std::uint64_t gone : {1u, 7u}) {  // nearer to either end
    token_pool pool(32);
    for (std::uint64_t i = 0; i < 10; ++i) put(pool, make_token(i));
    terrane_token token;
    const auto is_it = [&](const terrane_token& seen) { return number_of(seen) == gone; };
    ASSERT_TRUE(pool.take_oldest(token, is_it));
    for (std::uint64_t i = 0; i < 10; ++i) {
      if (i == gone) continue;
      EXPECT_EQ(take(pool), static_cast<int>(i));
    }
  }
}

TEST(token_pool, a_small_window_keeps_the_order_of_a_large_one) {
  token_pool small(8, nullptr, true), large(8);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const terrane_token token = make_token(i);
    for (token_pool* each : {&small, &large}) {
      if (i % 5 == 0)
        each->put_oldest(token);
      else
        each->share_newest(token);
    }
    if (i % 3 != 0) continue;
    const auto any = [](const terrane_token&) { return true; };
    terrane_token of_small, of_large;
    const bool newest = i % 2 == 0;
    ASSERT_TRUE(newest ? small.take_newest(of_small, any) : small.take_oldest(of_small, any));
    ASSERT_TRUE(newest ? large.take_newest(of_large, any) : large.take_oldest(of_large, any));
    EXPECT_EQ(number_of(of_small), number_of(of_large)) << i;
  }
  EXPECT_EQ(small.size(), large.size());
}

TEST(token_pool, thieves_never_take_what_waits_behind_the_window) {
  token_pool pool(8);
  for (std::uint64_t i = 0; i < 1000; ++i) pool.put_oldest(make_token(i));
  terrane_token token;
  int taken = 0;
  while (pool.window().take_oldest(token, [](const auto&) { return true; })) ++taken;
  EXPECT_EQ(taken, static_cast<int>(token_window::capacity_for(8)));
  EXPECT_EQ(pool.size(), 1000u - token_window::capacity_for(8));
  EXPECT_EQ(take(pool), 999) << "the rest is still there";
}

}  // namespace
}  // namespace terrane
