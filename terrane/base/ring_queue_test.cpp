// SPDX-License-Identifier: Apache-2.0
// ring_queue_test.cpp: a ring_queue behaves as a deque of plain values does, whatever its ring
// looks like inside.
#include "terrane/base/ring_queue.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "terrane/base/random.hpp"

namespace terrane {
namespace {

TEST(ring_queue, a_new_one_is_empty) {
  const ring_queue<int> queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.size(), 0u);
}

TEST(ring_queue, values_leave_at_the_front_in_the_order_they_came) {
  ring_queue<int> queue;
  for (int i = 0; i < 10; ++i) queue.push_back(i);
  EXPECT_EQ(queue.size(), 10u);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(queue.pop_front(), i);
  EXPECT_TRUE(queue.empty());
}

TEST(ring_queue, values_leave_at_the_back_newest_first) {
  ring_queue<int> queue;
  for (int i = 0; i < 10; ++i) queue.push_back(i);
  for (int i = 9; i >= 0; --i) EXPECT_EQ(queue.pop_back(), i);
  EXPECT_TRUE(queue.empty());
}

TEST(ring_queue, what_is_pushed_at_the_front_of_a_new_one_leaves_first) {
  ring_queue<int> queue;
  queue.push_front(1);
  queue.push_front(0);
  queue.push_back(2);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(queue.pop_front(), i);
}

TEST(ring_queue, the_order_survives_growth_from_any_position_of_the_ring) {
  for (int turned = 0; turned < 40; ++turned) {
    ring_queue<int> queue;
    for (int i = 0; i < turned; ++i) {
      queue.push_back(-1);
      queue.pop_front();
    }
    for (int i = 0; i < 100; ++i) queue.push_back(i);
    for (int i = -1; i >= -100; --i) queue.push_front(i);
    for (int i = -100; i < 100; ++i) ASSERT_EQ(queue.pop_front(), i) << "turned by " << turned;
  }
}

TEST(ring_queue, an_index_counts_from_the_front) {
  ring_queue<int> queue;
  for (int i = 0; i < 12; ++i) queue.push_back(i);
  for (int i = 0; i < 9; ++i) queue.pop_front();
  for (int i = 12; i < 20; ++i) queue.push_back(i);
  ASSERT_EQ(queue.size(), 11u);
  for (std::size_t i = 0; i < queue.size(); ++i) EXPECT_EQ(queue[i], static_cast<int>(9 + i));
}

TEST(ring_queue, a_ring_that_is_never_full_goes_round_for_ever) {
  ring_queue<int> queue;
  int in = 0, out = 0;
  for (int round = 0; round < 100'000; ++round) {
    while (queue.size() < 7) queue.push_back(in++);
    for (int i = 0; i < 5; ++i) ASSERT_EQ(queue.pop_front(), out++);
  }
}

TEST(ring_queue, it_agrees_with_a_deque_over_any_mix_of_operations) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    random_stream random(seed);
    ring_queue<std::uint64_t> queue;
    std::deque<std::uint64_t> model;
    for (int i = 0; i < 20'000; ++i) {
      const bool growing = i / 2000 % 2 == 0;
      if (model.empty() || random.below(10) < (growing ? 7u : 3u)) {
        const std::uint64_t value = random.next();
        if (random.below(2) == 0) {
          queue.push_back(value);
          model.push_back(value);
        } else {
          queue.push_front(value);
          model.push_front(value);
        }
      } else if (random.below(2) == 0) {
        ASSERT_EQ(queue.pop_front(), model.front());
        model.pop_front();
      } else {
        ASSERT_EQ(queue.pop_back(), model.back());
        model.pop_back();
      }
      ASSERT_EQ(queue.size(), model.size());
      ASSERT_EQ(queue.empty(), model.empty());
    }
  }
}

TEST(ring_queue, one_of_its_own_values_can_be_pushed_again_even_when_that_makes_it_grow) {
  ring_queue<int> queue;
  queue.push_back(42);
  for (int i = 0; i < 1000; ++i) queue.push_back(queue[0]);
  for (int i = 0; i < 1000; ++i) queue.push_front(queue[0]);
  while (!queue.empty()) ASSERT_EQ(queue.pop_front(), 42);
}

TEST(ring_queue, one_can_be_taken_out_of_the_middle) {
  ring_queue<int> queue;
  for (int i = 10; i < 30; ++i) queue.push_back(i);
  for (int i = 9; i >= 0; --i) queue.push_front(i);  // round the ring's end
  EXPECT_EQ(queue.take(12), 12);
  EXPECT_EQ(queue.take(0), 0);
  EXPECT_EQ(queue.take(27), 29);
  for (int i = 1; i < 29; ++i) {
    if (i == 12) continue;
    ASSERT_EQ(queue.pop_front(), i);
  }
  EXPECT_TRUE(queue.empty());
}

TEST(ring_queue_death, taking_from_an_empty_one_is_an_internal_error) {
  ring_queue<int> queue;
  queue.push_back(1);
  queue.pop_back();
  EXPECT_DEATH(queue.pop_front(), "internal error at .*ring_queue.hpp:[0-9]+");
  EXPECT_DEATH(queue.pop_back(), "internal error at .*ring_queue.hpp:[0-9]+");
}

}  // namespace
}  // namespace terrane
