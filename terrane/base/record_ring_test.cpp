// SPDX-License-Identifier: Apache-2.0
// record_ring_test.cpp: many writers, one reader: no record is lost, doubled, torn or out of order.
#include "terrane/base/record_ring.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace terrane {
namespace {

struct ring_memory {
  explicit ring_memory(std::size_t lines)
      : memory(std::aligned_alloc(64, record_ring::bytes_for(lines)), std::free) {
    std::memset(memory.get(), 0, record_ring::bytes_for(lines));
    ring = record_ring::make_in(memory.get(), lines);
  }
  bool put(const std::string& text) {
    record_ring::writer_word mine{record_ring::nowhere};
    void* room = ring->reserve(text.size(), mine);
    if (!room) return false;
    std::memcpy(room, text.data(), text.size());
    ring->publish(room, text.size(), mine);
    return true;
  }
  /// The oldest record, or "none".
  std::string take() {
    const auto record = ring->front();
    if (!record) return "none";
    const std::string text(reinterpret_cast<const char*>(record.data), record.bytes);
    ring->pop(record);
    ring->release();
    return text;
  }
  char* line(std::size_t number) const {
    return static_cast<char*>(memory.get()) + record_ring::bytes_for(number);
  }
  std::unique_ptr<void, void (*)(void*)> memory;
  record_ring* ring;
};

TEST(record_ring, a_new_one_is_empty) {
  ring_memory fresh(8);
  EXPECT_TRUE(fresh.ring->empty());
  EXPECT_EQ(fresh.take(), "none");
}

TEST(record_ring, records_come_out_in_the_order_they_went_in) {
  ring_memory memory(64);
  for (std::size_t bytes : {0u, 1u, 8u, 56u, 57u, 120u, 121u, 300u})
    ASSERT_TRUE(memory.put(std::string(bytes, static_cast<char>('a' + bytes % 26))));
  EXPECT_FALSE(memory.ring->empty());
  for (std::size_t bytes : {0u, 1u, 8u, 56u, 57u, 120u, 121u, 300u})
    EXPECT_EQ(memory.take(), std::string(bytes, static_cast<char>('a' + bytes % 26)));
  EXPECT_EQ(memory.take(), "none");
  EXPECT_TRUE(memory.ring->empty());
}

TEST(record_ring, a_reserved_record_is_not_seen_before_it_is_published) {
  ring_memory memory(8);
  record_ring::writer_word mine{record_ring::nowhere};
  void* room = memory.ring->reserve(3, mine);
  ASSERT_NE(room, nullptr);
  ASSERT_TRUE(memory.put("later"));
  EXPECT_EQ(memory.take(), "none");
  std::memcpy(room, "now", 3);
  memory.ring->publish(room, 3, mine);
  EXPECT_EQ(memory.take(), "now");
  EXPECT_EQ(memory.take(), "later");
}

TEST(record_ring, a_full_one_refuses_and_keeps_what_it_has) {
  ring_memory memory(8);
  for (char text = '0'; text < '8'; ++text) ASSERT_TRUE(memory.put({text}));
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(memory.put("more"));
  EXPECT_EQ(memory.take(), "0");
  EXPECT_TRUE(memory.put("8")) << "one line is free again";
  EXPECT_FALSE(memory.put("9"));
  for (char text = '1'; text < '9'; ++text) EXPECT_EQ(memory.take(), std::string{text});
  EXPECT_EQ(memory.take(), "none");
}

TEST(record_ring, what_was_taken_is_free_for_writers_once_it_is_released) {
  ring_memory memory(8);
  for (char text = '0'; text < '8'; ++text) ASSERT_TRUE(memory.put({text}));
  memory.ring->pop(memory.ring->front());
  EXPECT_FALSE(memory.put("8"));
  memory.ring->release();
  EXPECT_TRUE(memory.put("8"));
}

TEST(record_ring, a_reader_that_never_releases_meets_no_record_twice) {
  ring_memory memory(64);
  for (int round = 0; round < 10; ++round) {
    int put = 0;
    while (memory.put(std::to_string(1000 * round + put))) ++put;
    ASSERT_GT(put, 40);
    for (int i = 0; i < put; ++i) {
      const auto record = memory.ring->front();
      ASSERT_TRUE(record);
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(record.data), record.bytes),
                std::to_string(1000 * round + i));
      memory.ring->pop(record);
    }
    EXPECT_FALSE(memory.ring->front());
  }
}

TEST(record_ring, its_backlog_counts_lines_not_yet_released) {
  ring_memory memory(64);
  ASSERT_TRUE(memory.put(std::string(100, 'x')));
  ASSERT_TRUE(memory.put("y"));
  EXPECT_EQ(memory.ring->backlog(), 3u);
  memory.take();
  EXPECT_EQ(memory.ring->backlog(), 1u);
}

TEST(record_ring, records_of_every_length_survive_many_rounds_at_every_offset) {
  std::mt19937 random(7);
  ring_memory memory(32);
  std::vector<std::string> inside;
  std::size_t first = 0;
  for (int step = 0; step < 200'000; ++step) {
    const std::string text(random() % (memory.ring->record_bytes_max() + 1),
                           static_cast<char>('a' + step % 26));
    if (random() % 2 == 0 && memory.put(text)) inside.push_back(text);
    if (random() % 2 == 0) {
      const std::string taken = memory.take();
      if (first < inside.size())
        ASSERT_EQ(taken, inside[first++]) << "step " << step;
      else
        ASSERT_EQ(taken, "none");
    }
  }
  EXPECT_GT(first, 50'000u);
}

TEST(record_ring, bytes_that_look_like_a_header_are_never_taken_for_one) {
  ring_memory memory(16);
  const std::string all_ones(memory.ring->record_bytes_max(), '\xff');
  for (int round = 0; round < 1000; ++round) {
    ASSERT_TRUE(memory.put(all_ones));
    ASSERT_EQ(memory.take(), all_ones);
    ASSERT_EQ(memory.take(), "none");
    ASSERT_TRUE(memory.put("s"));
    ASSERT_EQ(memory.take(), "s");
    ASSERT_EQ(memory.take(), "none");
  }
}

TEST(record_ring, a_header_that_no_writer_writes_is_told_and_not_followed) {
  constexpr std::uint64_t present = std::uint64_t{1} << 63, filler = std::uint64_t{1} << 62;
  constexpr std::size_t lines = 16, to_end = lines - 3;
  for (const std::uint64_t header :
       {std::uint64_t{1}, ~std::uint64_t{0}, filler, filler | (to_end - 1), filler | (to_end + 1),
        filler | present, present | (to_end * 64 - 7), present | (std::uint64_t{1} << 40)}) {
    ring_memory memory(lines);
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(memory.put("x"));
    std::memcpy(memory.line(3), &header, sizeof header);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(memory.take(), "x");
    const auto found = memory.ring->front();
    EXPECT_FALSE(found);
    EXPECT_EQ(found.bytes, header);
  }
}

TEST(record_ring, counts_that_were_overwritten_are_noticed) {
  for (std::size_t line = 1; line < sizeof(record_ring) / 64; ++line) {
    ring_memory memory(16);
    ASSERT_TRUE(memory.put("x"));
    EXPECT_TRUE(memory.ring->is_sound());
    ASSERT_EQ(memory.take(), "x");
    EXPECT_TRUE(memory.ring->is_sound());
    std::memset(static_cast<char*>(memory.memory.get()) + 64 * line, 0x5a, 64);
    EXPECT_FALSE(memory.ring->is_sound()) << line;
  }
}

TEST(record_ring_death, a_size_that_is_no_power_of_two_is_an_internal_error) {
  EXPECT_DEATH(ring_memory(12), "internal error at .*record_ring.hpp");
}

/// Each record: who wrote it, its number, then as many bytes as the number says, all alike.
void take_everything_of(std::uint32_t writers, std::uint32_t each, std::size_t lines) {
  ring_memory memory(lines);
  const std::size_t most = memory.ring->record_bytes_max() - 8;
  atomic<bool> give_up{false};
  std::vector<std::thread> threads;
  for (std::uint32_t writer = 0; writer < writers; ++writer)
    threads.emplace_back([&, writer] {
      record_ring::writer_word mine{record_ring::nowhere};
      for (std::uint32_t number = 0; number < each; ++number) {
        const std::size_t bytes = 8 + number * 13 % most;
        void* room;
        while (!(room = memory.ring->reserve(bytes, mine)) && !give_up.load())
          std::this_thread::yield();
        if (!room) return;
        std::memset(room, static_cast<int>(writer + number), bytes);
        std::memcpy(room, &writer, 4);
        std::memcpy(static_cast<char*>(room) + 4, &number, 4);
        memory.ring->publish(room, bytes, mine);
      }
    });
  std::vector<std::uint32_t> next(writers, 0);
  std::uint64_t wrong = 0;
  for (std::uint64_t taken = 0; taken < std::uint64_t{writers} * each && wrong == 0;) {
    const auto record = memory.ring->front();
    if (!record) {
      memory.ring->release();
      std::this_thread::yield();
      continue;
    }
    ++taken;
    std::uint32_t writer, number;
    std::memcpy(&writer, record.data, 4);
    std::memcpy(&number, record.data + 4, 4);
    wrong +=
        writer >= writers || number != next[writer]++ || record.bytes != 8 + number * 13 % most;
    for (std::size_t i = 8; i < record.bytes && wrong == 0; ++i)
      wrong += record.data[i] != static_cast<unsigned char>(writer + number);
    memory.ring->pop(record);
    if (taken % 7 == 0) memory.ring->release();
  }
  give_up.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u) << "a record was torn, lost, doubled or out of its writer's order";
  EXPECT_TRUE(memory.ring->empty());
}

/// For ThreadSanitizer: a writer draws a line that was read, and knows that from another writer
/// alone. The turns order nothing.
TEST(record_ring, a_writer_may_rely_on_what_another_has_seen) {
  ring_memory memory(8);
  record_ring& ring = *memory.ring;
  atomic<int> turn{0};
  const auto await_turn = [&](int mine) {
    while (turn.load(memory_order_relaxed) != mine) std::this_thread::yield();
  };
  const auto write_line = [&](int value) {
    record_ring::writer_word mine{record_ring::nowhere};
    void* const room = ring.reserve(8, mine);
    ASSERT_NE(room, nullptr);
    std::memset(room, value, 8);
    ring.publish(room, 8, mine);
  };
  std::thread one([&] {
    for (int i = 0; i < 8; ++i) write_line(i);
    turn.store(1, memory_order_relaxed);
    await_turn(2);
    EXPECT_EQ(ring.backlog(), 0u);
    turn.store(3, memory_order_relaxed);
  });
  std::thread other([&] {
    await_turn(3);
    write_line(8);
  });
  await_turn(1);
  for (int i = 0; i < 8; ++i) {
    const auto oldest = ring.front();
    ASSERT_TRUE(oldest);
    EXPECT_EQ(oldest.data[0], i);
    ring.pop(oldest);
  }
  ring.release();
  turn.store(2, memory_order_relaxed);
  one.join();
  other.join();
  EXPECT_EQ(ring.front().data[7], 8);
}

TEST(record_ring, three_writers_lose_and_double_nothing_in_a_small_ring) {
  take_everything_of(3, 5'000, 16);
}
TEST(record_ring, three_writers_lose_and_double_nothing_in_a_roomy_ring) {
  take_everything_of(3, 20'000, 1024);
}

}  // namespace
}  // namespace terrane
