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
  for (int i = 0; i < 100; ++i) {
    place.prepare();
    EXPECT_TRUE(place.wake());
    EXPECT_FALSE(place.wake()) << "one sleeper is woken once";
    place.sleep(-1);  // for ever, if the wake was lost
  }
}

TEST(parker, a_sleeper_wakes_by_itself_at_its_deadline) {
  parker place;
  const auto start = clock::now();
  while (seconds_since(start) < 0.05) {  // a sleep may end early, for no reason
    place.prepare();
    place.sleep(50'000'000);
  }
  EXPECT_FALSE(place.wake()) << "who woke by itself sleeps no more";
}

TEST(parker, a_deadline_of_now_does_not_sleep) {
  parker place;
  for (int i = 0; i < 100; ++i) {
    place.prepare();
    place.sleep(0);
    EXPECT_TRUE(place.is_listening());
  }
}

/// One side of a ping-pong as the processors play it: look, announce, look again, sleep.
struct player {
  parker sleep;
  atomic<int> ball{0};  // how often it was handed to this side

  /// Never returns if a wake-up is lost.
  void await(int hand_over) {
    while (ball.load(memory_order_seq_cst) != hand_over) {
      sleep.prepare();
      if (ball.load(memory_order_seq_cst) == hand_over) {
        sleep.listen();
        return;
      }
      sleep.sleep(-1);
    }
  }
  void hand_over() {
    ball.fetch_add(1, memory_order_seq_cst);
    sleep.wake();
  }
};

TEST(parker, twenty_thousand_hand_overs_between_two_threads_lose_no_wake_up) {
  constexpr int rounds = 10'000;
  player left, right;
  std::thread other([&] {
    for (int i = 1; i <= rounds; ++i) {
      right.await(i);
      left.hand_over();
    }
  });
  for (int i = 1; i <= rounds; ++i) {
    right.hand_over();
    left.await(i);
  }
  other.join();
  EXPECT_EQ(left.ball.load() + right.ball.load(), 2 * rounds);
}

}  // namespace
}  // namespace terrane
