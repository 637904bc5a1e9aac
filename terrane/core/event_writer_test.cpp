// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/event_writer.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "terrane/core/fake_machine_test.hpp"

namespace terrane {
namespace {

std::vector<std::uint64_t> words_in(const event_ring& ring) {
  std::vector<std::uint64_t> words;
  for (std::uint64_t at = ring.read.load(); at != ring.written.load(); ++at)
    words.push_back(ring.at(at));
  return words;
}

std::uint64_t head(event_id id, std::uint64_t field = 0) {
  return field << 8 | static_cast<std::uint64_t>(id);
}

TEST(event_writer, events_share_the_stamp_of_their_moment) {
  event_ring ring(64);
  event_writer writer;
  writer.attach(nullptr, &ring, all_events, nullptr, 0, false);
  writer.at(100);
  writer.put<event_id::token_inlined>();
  writer.put<event_id::message_sent>(3u, entry::put, std::size_t{8});
  writer.at(170);
  writer.put<event_id::user_event>(7u, std::int64_t{-2});
  EXPECT_EQ(words_in(ring), (std::vector<std::uint64_t>{
                                head(event_id::stamp, 100), head(event_id::token_inlined),
                                head(event_id::message_sent, 3), 1, 8, head(event_id::stamp, 170),
                                head(event_id::user_event, 7), ~std::uint64_t{1}}));
}

TEST(event_writer, a_long_run_without_a_look_is_stamped_now_and_then) {
  event_ring ring(1024);
  event_writer writer;
  writer.attach(nullptr, &ring, all_events, nullptr, 0, false);
  writer.look();
  int stamps = 0;
  for (int i = 0; i < 200; ++i) writer.put<event_id::token_inlined>();
  for (const std::uint64_t word : words_in(ring))
    stamps += static_cast<event_id>(word & 0xff) == event_id::stamp;
  EXPECT_GE(stamps, 3);
}

TEST(event_writer, classes_that_are_off_leave_nothing) {
  event_ring ring(64);
  event_writer writer;
  writer.attach(nullptr, &ring, bit_of(event_class::user), nullptr, 0, false);
  writer.put<event_id::token_inlined>();
  EXPECT_EQ(ring.written.load(), 0u);
  EXPECT_EQ(writer.classes(), bit_of(event_class::user));
}

TEST(event_writer, what_finds_no_room_is_counted_and_the_next_one_has_its_own_stamp) {
  event_ring ring(8);
  event_writer writer;
  writer.attach(nullptr, &ring, all_events, nullptr, 0, false);
  writer.at(5);
  for (int i = 0; i < 10; ++i) writer.put<event_id::token_inlined>();
  EXPECT_EQ(words_in(ring).size(), 8u);  // a stamp and 7 events
  const auto& dropped = ring.dropped[static_cast<std::size_t>(event_class::token)];
  EXPECT_EQ(dropped.load(), 3u);
  ring.read.store(8);
  writer.put<event_id::token_inlined>();
  EXPECT_EQ(words_in(ring),
            (std::vector<std::uint64_t>{head(event_id::stamp, 5), head(event_id::token_inlined)}));
}

TEST(event_writer, who_waits_loses_nothing_to_a_slow_reader) {
  event_ring ring(64);
  event_writer writer;
  writer.attach(nullptr, &ring, all_events, nullptr, 0, true);
  writer.at(1);
  constexpr std::uint64_t events = 20'000;
  std::uint64_t seen = 0, wrong = 0;
  std::thread reader([&] {
    while (seen < events) {
      std::uint64_t at = ring.read.load(memory_order_relaxed);
      const std::uint64_t end = ring.written.load(memory_order_acquire);
      for (; at != end; ++at) {
        const std::uint64_t word = ring.at(at);
        if (static_cast<event_id>(word & 0xff) == event_id::stamp) continue;
        wrong += word >> 8 != seen++;
      }
      ring.read.store(at, memory_order_release);
    }
  });
  for (std::uint64_t i = 0; i < events; ++i) writer.put<event_id::token_offered>(i);
  reader.join();
  EXPECT_EQ(wrong, 0u);
  for (const auto& each : ring.dropped) EXPECT_EQ(each.load(), 0u);
}

TEST(event_writer, one_that_waits_for_a_closed_ring_drops) {
  event_ring ring(8);
  ring.closed.store(true);
  event_writer writer;
  writer.attach(nullptr, &ring, all_events, nullptr, 0, true);
  for (int i = 0; i < 20; ++i) writer.put<event_id::token_inlined>();
  EXPECT_GE(ring.dropped[static_cast<std::size_t>(event_class::token)].load(), 12u);
}

TEST(kept_events, keep_the_newest_in_their_order) {
  std::vector<std::uint64_t> memory(kept_events::bytes_for(4) / 8 + 1);
  kept_events& kept = *kept_events::make_in(memory.data(), 4);
  event_writer writer;
  writer.attach(nullptr, nullptr, 0, &kept, rare_events, false);
  for (std::uint32_t i = 0; i < 10; ++i) {
    writer.at(i);
    writer.put<event_id::note_sent>(i, 0u, 0u, std::int64_t{0}, 0);
    writer.put<event_id::token_inlined>();  // of no class that is kept
  }
  std::vector<std::uint64_t> seen;
  kept.visit([&](std::uint64_t ticks, const std::uint64_t* words) {
    EXPECT_EQ(words[0], head(event_id::note_sent, ticks));
    seen.push_back(ticks);
  });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{6, 7, 8, 9}));
  EXPECT_EQ(kept.written(), 10u);
}

/// A processor of a fake machine whose events go to a ring.
struct recorded_processor {
  explicit recorded_processor(event_mask classes) : self(machine.as_processor(0)) {
    event_writer writer;
    writer.attach(nullptr, &ring, classes, nullptr, 0, false);
    self.record_as(writer);
  }
  int count(event_id id) const {
    int events = 0;
    for (const std::uint64_t word : words_in(ring)) events += static_cast<event_id>(word) == id;
    return events;
  }
  event_ring ring{1 << 12};
  fake_machine machine{2};
  processor& self;
};

TEST(event_writer, every_push_and_every_spawn_is_seen_while_tokens_are_recorded) {
  recorded_processor its(bit_of(event_class::token));
  its.self.heed_if_asked();
  for (int i = 0; i < 20; ++i)
    if (!terrane_spawn_inline(&its.self)) push_numbered(its.self, i);
  int queued = 0, inlined = 0;
  for (std::uint64_t at = 0; at < its.ring.written.load(); ++at) {
    const auto id = static_cast<event_id>(its.ring.at(at) & 0xff);
    queued += id == event_id::token_queued;
    inlined += id == event_id::token_inlined;
  }
  EXPECT_EQ(static_cast<std::uint64_t>(queued), its.self.queued);
  EXPECT_EQ(static_cast<std::uint64_t>(inlined), its.self.inlined);
  EXPECT_EQ(queued + inlined, 20);
}

TEST(event_writer, nothing_stops_a_spawn_while_no_class_is_on) {
  fake_machine machine(1);
  processor& self = machine.as_processor(0);
  self.heed_if_asked();
  EXPECT_EQ(self.events, 0u);
  EXPECT_NE(self.push_limit, nullptr);
  EXPECT_LE(self.stocked, self.bottom);
}

TEST(events, every_name_is_told_once_and_every_sentence_fits_its_fields) {
  for (std::uint32_t id = 1; id < event_count; ++id) {
    const event_description& event = event_table[id];
    for (std::uint32_t other = 1; other < id; ++other)
      EXPECT_STRNE(event.name, event_table[other].name);
    std::string_view sentence = event.sentence;
    for (auto open = sentence.find('{'); open != sentence.npos;
         open = sentence.find('{', open + 1)) {
      const auto name = sentence.substr(open + 1, sentence.find('}', open) - open - 1);
      bool known = false;
      for (std::uint32_t i = 0; i < event.field_count; ++i) known |= name == event.fields[i].name;
      EXPECT_TRUE(known) << event.name << " has no field " << name;
    }
  }
}

}  // namespace
}  // namespace terrane
