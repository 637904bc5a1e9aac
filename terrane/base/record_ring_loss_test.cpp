// SPDX-License-Identifier: Apache-2.0
// record_ring_loss_test.cpp: what others wrote behind the room of a lost writer is read, and the
// room of a living writer is never passed over.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "terrane/base/record_ring.hpp"

namespace terrane {
namespace {

struct ring_with_writers {
  static constexpr std::size_t lines = 16, writers = 3;

  ring_with_writers()
      : memory(std::aligned_alloc(64, record_ring::bytes_for(lines)), std::free),
        ring(record_ring::make_in(std::memset(memory.get(), 0, record_ring::bytes_for(lines)),
                                  lines, 5)) {}
  void* reserve(std::size_t writer, std::size_t bytes) {
    return ring->reserve(bytes, words[writer]);
  }
  void publish(std::size_t writer, void* room, const std::string& text) {
    std::memcpy(room, text.data(), text.size());
    ring->publish(room, text.size(), words[writer]);
  }
  bool put(std::size_t writer, const std::string& text) {
    void* const room = reserve(writer, text.size());
    if (room) publish(writer, room, text);
    return room != nullptr;
  }
  bool skip_lost() {
    return ring->skip_lost(
        writers, [this](std::size_t i) -> auto& { return words[i]; },
        [this](std::size_t i) { return lost[i]; });
  }
  /// The oldest record, or "none". Passes over what the lost left.
  std::string take() {
    auto record = ring->front();
    while (!record && skip_lost()) record = ring->front();
    EXPECT_TRUE(record || record.bytes == 0) << "header " << record.bytes;
    if (!record) return "none";
    const std::string text(reinterpret_cast<const char*>(record.data), record.bytes);
    ring->pop(record);
    return text;
  }
  /// Lets the tail lie at that line, with nothing in the ring.
  void advance_to(std::size_t line) {
    for (std::size_t i = 0; i < line; ++i) {
      ASSERT_TRUE(put(2, "x"));
      ASSERT_EQ(take(), "x");
    }
    ring->release();
  }

  std::unique_ptr<void, void (*)(void*)> memory;
  record_ring* ring;
  std::array<record_ring::writer_word, writers> words{record_ring::nowhere, record_ring::nowhere,
                                                      record_ring::nowhere};
  std::array<bool, writers> lost{};
};

TEST(record_ring_loss, records_behind_the_room_of_a_lost_writer_are_read) {
  for (std::size_t line = 0; line < 16; ++line)
    for (const std::size_t bytes : {0u, 1u, 56u, 57u, 200u, 248u}) {
      ring_with_writers all;
      all.advance_to(line);
      ASSERT_TRUE(all.put(1, "before"));
      void* const room = all.reserve(0, bytes);
      ASSERT_NE(room, nullptr);
      std::memset(room, 0xff, bytes);  // it was lost after it had written all but the header
      ASSERT_TRUE(all.put(1, "behind"));
      ASSERT_TRUE(all.put(2, "further behind"));
      EXPECT_EQ(all.take(), "before");
      EXPECT_EQ(all.take(), "none") << "it may live";
      all.lost[0] = true;
      EXPECT_EQ(all.take(), "behind") << line << " " << bytes;
      EXPECT_EQ(all.take(), "further behind");
      EXPECT_EQ(all.take(), "none");
      for (int i = 0; i < 40; ++i) {
        ASSERT_TRUE(all.put(1, std::to_string(i)));
        EXPECT_EQ(all.take(), std::to_string(i));
      }
    }
}

TEST(record_ring_loss, a_lost_writer_that_came_too_late_costs_a_living_one_nothing) {
  ring_with_writers all;
  ASSERT_TRUE(all.put(2, "x"));
  // Writer 0 is lost before its compare-and-swap, where writer 1 then reserves.
  void* const room = all.reserve(1, 100);
  all.words[0].store(all.words[1].load());
  all.lost[0] = true;
  ASSERT_TRUE(all.put(2, "behind"));
  EXPECT_EQ(all.take(), "x");
  EXPECT_FALSE(all.skip_lost());
  all.publish(1, room, std::string(100, 'h'));
  EXPECT_EQ(all.take(), std::string(100, 'h'));
  EXPECT_EQ(all.take(), "behind");
}

TEST(record_ring_loss, a_living_writer_that_came_too_late_does_not_hold_up_the_reader) {
  ring_with_writers all;
  ASSERT_NE(all.reserve(0, 100), nullptr);
  const std::uint64_t start = all.words[0].load();
  while (all.put(2, "behind")) continue;
  all.words[1].store(start);
  all.lost[0] = true;
  EXPECT_EQ(all.take(), "none") << "as far as is known, writer 1 may hold the room";
  EXPECT_FALSE(all.put(1, "more")) << "the ring is full";
  EXPECT_EQ(all.take(), "behind");
}

/// Random writers reserve, publish and are lost; one of three lives on. Its records come in order.
TEST(record_ring_loss, whoever_lives_reaches_the_reader_in_order) {
  std::mt19937 random(3);
  for (int run = 0; run < 3'000; ++run) {
    ring_with_writers all;
    all.advance_to(random() % 16);
    std::vector<std::string> expected;
    std::size_t taken = 0;
    for (int step = 0; step < 40; ++step) {
      const std::size_t writer = random() % 3, bytes = random() % 200;
      const std::string text(bytes, static_cast<char>('a' + step % 26));
      if (writer != 2 && !all.lost[writer] && random() % 6 == 0) {
        all.reserve(writer, bytes);
        all.lost[writer] = true;
      } else if (!all.lost[writer] && all.put(writer, text)) {
        expected.push_back(text);
      }
      for (int i = static_cast<int>(random() % 3); i > 0 && taken < expected.size(); --i) {
        ASSERT_EQ(all.take(), expected[taken]) << "run " << run << ", step " << step;
        ++taken;
      }
    }
    while (taken < expected.size()) ASSERT_EQ(all.take(), expected[taken++]) << "run " << run;
    ASSERT_EQ(all.take(), "none");
  }
}

}  // namespace
}  // namespace terrane
