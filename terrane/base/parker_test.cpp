// SPDX-License-Identifier: Apache-2.0
// parker_test.cpp: no wake-up is lost, and nobody sleeps past a deadline.
#include "terrane/base/parker.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace terrane {
namespace {

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

TEST(parker, a_wake_without_a_sleeper_wakes_nobody) {
  parker place;
  EXPECT_FALSE(place.wake());
  place.prepare();
  place.listen();
  EXPECT_FALSE(place.wake());
}

TEST(parker, a_wake_between_announcing_and_sleeping_is_kept) {
  parker place;
  const auto start = clock::now();
  for (int i = 0; i < 100; ++i) {
    place.prepare();
    EXPECT_TRUE(place.wake());
    EXPECT_FALSE(place.wake()) << "one sleeper is woken once";
    place.sleep(10'000'000'000);
  }
  EXPECT_LT(seconds_since(start), 5);
}

TEST(parker, a_sleeper_wakes_by_itself_at_its_deadline) {
  parker place;
  const auto start = clock::now();
  while (seconds_since(start) < 0.05) {  // a sleep may end early, for no reason
    place.prepare();
    place.sleep(50'000'000);
  }
  EXPECT_LT(seconds_since(start), 5);
  EXPECT_FALSE(place.wake()) << "who woke by itself sleeps no more";
}

TEST(parker, a_deadline_of_now_does_not_sleep) {
  parker place;
  const auto start = clock::now();
  for (int i = 0; i < 100; ++i) {
    place.prepare();
    place.sleep(0);
  }
  EXPECT_LT(seconds_since(start), 5);
}

/// One side of a ping-pong as the processors play it: look, announce, look again, sleep.
struct player {
  parker sleep;
  atomic<int> ball{0};  // how often it was handed to this side

  /// False if it slept for as long as `patience`: a wake-up was lost.
  bool await(int hand_over, std::int64_t patience_ns) {
    while (ball.load(memory_order_seq_cst) != hand_over) {
      sleep.prepare();
      if (ball.load(memory_order_seq_cst) == hand_over) {
        sleep.listen();
        return true;
      }
      const auto start = clock::now();
      sleep.sleep(patience_ns);
      if (seconds_since(start) * 1e9 >= static_cast<double>(patience_ns)) return false;
    }
    return true;
  }
  void hand_over() {
    ball.fetch_add(1, memory_order_seq_cst);
    sleep.wake();
  }
};

TEST(parker, twenty_thousand_hand_overs_between_two_threads_lose_no_wake_up) {
  constexpr int rounds = 10'000;
  constexpr std::int64_t patience_ns = 20'000'000'000;
  player left, right;
  bool right_lost = false;
  std::thread other([&] {
    for (int i = 1; i <= rounds && !right_lost; ++i) {
      right_lost = !right.await(i, patience_ns);
      left.hand_over();
    }
  });
  bool left_lost = false;
  for (int i = 1; i <= rounds && !left_lost; ++i) {
    right.hand_over();
    left_lost = !left.await(i, patience_ns);
  }
  other.join();
  EXPECT_FALSE(left_lost);
  EXPECT_FALSE(right_lost);
}

}  // namespace
}  // namespace terrane
