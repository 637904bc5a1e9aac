// SPDX-License-Identifier: Apache-2.0
// inbox_ring_test.cpp: many writers, one reader: nothing is lost, doubled, torn or out of order.
#include "terrane/base/inbox_ring.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace terrane {
namespace {

TEST(inbox_ring, a_new_one_is_empty) {
  inbox_ring<int> ring(4);
  int value = 7;
  EXPECT_TRUE(ring.empty());
  EXPECT_FALSE(ring.pop(value));
  EXPECT_EQ(value, 7);
}

TEST(inbox_ring, values_come_out_in_the_order_they_went_in) {
  inbox_ring<int> ring(8);
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(ring.push(i));
  EXPECT_FALSE(ring.empty());
  for (int i = 0; i < 8; ++i) {
    int value = -1;
    ASSERT_TRUE(ring.pop(value));
    EXPECT_EQ(value, i);
  }
  EXPECT_TRUE(ring.empty());
}

TEST(inbox_ring, a_full_one_refuses_and_keeps_what_it_has) {
  inbox_ring<int> ring(4);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(ring.push(i));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(ring.push(100 + i));
  int value = -1;
  ASSERT_TRUE(ring.pop(value));
  EXPECT_EQ(value, 0);
  EXPECT_TRUE(ring.push(4)) << "one cell is free again";
  EXPECT_FALSE(ring.push(5));
  for (int i = 1; i <= 4; ++i) {
    ASSERT_TRUE(ring.pop(value));
    EXPECT_EQ(value, i);
  }
  EXPECT_FALSE(ring.pop(value));
}

TEST(inbox_ring, the_smallest_one_holds_one_value_round_after_round) {
  inbox_ring<int> ring(1);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(ring.push(i));
    ASSERT_FALSE(ring.push(-1));
    int value = -1;
    ASSERT_TRUE(ring.pop(value));
    ASSERT_EQ(value, i);
    ASSERT_FALSE(ring.pop(value));
  }
}

TEST(inbox_ring, it_wraps_many_rounds_at_every_fill) {
  for (int fill = 1; fill <= 8; ++fill) {
    inbox_ring<int> ring(8);
    int in = 0, out = 0;
    while (out < 10'000) {
      while (in - out < fill) ASSERT_TRUE(ring.push(in++));
      int value = -1;
      ASSERT_TRUE(ring.pop(value));
      ASSERT_EQ(value, out++);
    }
  }
}

TEST(inbox_ring_death, a_capacity_that_is_no_power_of_two_is_an_internal_error) {
  EXPECT_DEATH(inbox_ring<int>(0), "internal error at .*inbox_ring.hpp");
  EXPECT_DEATH(inbox_ring<int>(12), "internal error at .*inbox_ring.hpp");
}

/// Large enough to be torn, were it written by two.
struct item {
  std::uint64_t writer, number, check[6];
};

item make_item(std::uint64_t writer, std::uint64_t number) {
  item made{writer, number, {}};
  for (std::uint64_t& each : made.check) each = writer * 1'000'003 + number;
  return made;
}

void take_everything_of(std::size_t writers, std::uint64_t each, std::size_t capacity) {
  inbox_ring<item> ring(capacity);
  atomic<bool> give_up{false};
  std::vector<std::thread> threads;
  for (std::uint64_t writer = 0; writer < writers; ++writer)
    threads.emplace_back([&, writer] {
      for (std::uint64_t number = 0; number < each; ++number)
        while (!ring.push(make_item(writer, number)) && !give_up.load()) std::this_thread::yield();
    });
  std::vector<std::uint64_t> next(writers, 0);
  std::uint64_t wrong = 0;
  for (std::uint64_t taken = 0; taken < writers * each && wrong == 0;) {
    item got;
    if (!ring.pop(got)) {
      std::this_thread::yield();
      continue;
    }
    ++taken;
    wrong += got.writer >= writers || got.number != next[got.writer]++;
    for (const std::uint64_t part : got.check) wrong += part != got.writer * 1'000'003 + got.number;
  }
  give_up.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u) << "an item was torn, lost, doubled or out of its writer's order";
  EXPECT_TRUE(ring.empty());
}

TEST(inbox_ring, three_writers_lose_and_double_nothing_in_a_ring_of_eight) {
  take_everything_of(3, 100'000, 8);
}

TEST(inbox_ring, three_writers_lose_and_double_nothing_in_a_ring_of_one) {
  take_everything_of(3, 3'000, 1);
}

TEST(inbox_ring, three_writers_lose_and_double_nothing_in_a_roomy_ring) {
  take_everything_of(3, 100'000, 1024);
}

}  // namespace
}  // namespace terrane
