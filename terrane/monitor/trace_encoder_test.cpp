// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/trace_encoder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "terrane/base/random.hpp"
#include "terrane/trace/format.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {
namespace {

constexpr terrane_function work{"work", "work.c", 7, 0, 0, 0, nullptr, nullptr, nullptr, 0};
constexpr terrane_fiber sum{nullptr, &work, "sum", "work.c", 9, 4, false};

std::string head_chunk(bool simulated) {
  return std::string(trace_magic) +
         make_chunk(chunk_kind::head, launcher_process, 0,
                    fmt::format(R"({{"format":1,"id":"one","nodes":2,"processors":1,)"
                                R"("simulated":{},"classes":{},"events":{},"messages":{}}})",
                                simulated, classes_json(), events_json(), messages_json()));
}

std::unique_ptr<trace_file> read_back(const std::string& bytes) {
  auto read = trace_file::read(bytes);
  if (!read) ADD_FAILURE() << read.problem();
  return read ? std::move(read).value() : nullptr;
}

/// A value that a field of that kind may have.
std::uint64_t some_value(field_kind kind, bool first, random_stream& random) {
  switch (kind) {
    case field_kind::function: return reinterpret_cast<std::uintptr_t>(&work);
    case field_kind::fiber: return reinterpret_cast<std::uintptr_t>(&sum);
    case field_kind::text: return reinterpret_cast<std::uintptr_t>(random.below(2) ? "yes" : "no");
    case field_kind::message: return random.below(17);
    default: break;
  }
  const std::uint64_t any =
      std::uint64_t{random.below(0xffffffffu)} << 32 | random.below(0xffffffffu);
  return any >> random.below(64) >> (first ? 8 : 0);
}

TEST(trace_encoder, every_event_comes_back_with_its_values) {
  random_stream random(7, 1);
  event_ring ring(1 << 14);
  trace_encoder encoder(0);
  std::string bytes = head_chunk(true);
  std::vector<std::vector<std::uint64_t>> written;
  std::vector<std::uint64_t> times;
  std::uint64_t at = 0, time = 0;
  for (int round = 0; round < 20; ++round) {
    for (std::uint32_t id = 1; id < event_count; ++id) {
      time += random.below(3) == 0 ? random.below(1000) : 0;
      ring.at(at++) = time << 8;
      std::vector<std::uint64_t> values;
      for (std::uint32_t i = 0; i < event_table[id].field_count; ++i)
        values.push_back(some_value(event_table[id].fields[i].kind, i == 0, random));
      ring.at(at++) = (values.empty() ? 0 : values[0] << 8) | id;
      for (std::size_t i = 1; i < values.size(); ++i) ring.at(at++) = values[i];
      written.push_back(std::move(values));
      times.push_back(time);
    }
    ring.written.store(at);
    if (round % 3 == 0) encoder.take(ring, 1, bytes);
  }
  encoder.take(ring, 1, bytes);
  const auto file = read_back(bytes);
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->problems().empty());
  trace_file::in_time events(*file);
  trace_event event;
  for (std::size_t i = 0; i < written.size(); ++i) {
    ASSERT_TRUE(events.next(event));
    const std::uint32_t id = static_cast<std::uint32_t>(i % (event_count - 1)) + 1;
    ASSERT_EQ(file->types()[event.type].name, event_table[id].name);
    ASSERT_EQ(event.ns, static_cast<std::int64_t>(times[i]));
    for (std::size_t field = 0; field < written[i].size(); ++field) {
      const field_kind kind = event_table[id].fields[field].kind;
      if (kind < field_kind::function)
        ASSERT_EQ(event.values[field], written[i][field]) << event_table[id].name << ' ' << field;
      else if (kind == field_kind::fiber)
        ASSERT_EQ(file->name_of(event, event.values[field]).name, "work::sum");
      else if (kind == field_kind::function)
        ASSERT_EQ(file->name_of(event, event.values[field]).line, 7u);
      else
        ASSERT_EQ(file->text_of(event, field), reinterpret_cast<const char*>(written[i][field]));
    }
  }
  EXPECT_FALSE(events.next(event));
}

TEST(trace_encoder, ticks_become_time_between_two_readings_of_the_clocks) {
  event_ring ring(64);
  trace_encoder encoder(0);
  std::string bytes = head_chunk(false);
  encoder.add_clock(1'000, 50'000, 0, bytes);
  ring.at(0) = std::uint64_t{1'500} << 8;
  ring.at(1) = static_cast<std::uint64_t>(event_id::token_inlined);
  ring.at(2) = std::uint64_t{2'500} << 8;
  ring.at(3) = static_cast<std::uint64_t>(event_id::token_inlined);
  ring.written.store(4);
  encoder.take(ring, 0, bytes);
  encoder.add_clock(2'000, 52'000, 2'000, bytes);  // a tick is 2 ns; the run began at 50,000
  encoder.add_clock(3'000, 53'000, 3'000, bytes);  // from here on it is 1 ns
  const auto file = read_back(bytes);
  ASSERT_TRUE(file);
  trace_file::cursor events(*file, 0);
  trace_event event;
  ASSERT_TRUE(events.next(event));
  EXPECT_EQ(event.ns, 1'000);
  ASSERT_TRUE(events.next(event));
  EXPECT_EQ(event.ns, 2'500);
}

TEST(trace_encoder, what_was_dropped_is_told_by_class) {
  event_ring ring(64);
  trace_encoder encoder(0);
  std::string bytes = head_chunk(true);
  ring.dropped[static_cast<std::size_t>(event_class::fiber)].store(12);
  encoder.take(ring, 0, bytes);
  encoder.take(ring, 0, bytes);  // once is enough
  ring.dropped[static_cast<std::size_t>(event_class::fiber)].store(20);
  encoder.take(ring, 0, bytes);
  const auto file = read_back(bytes);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->dropped(), 20u);
  EXPECT_EQ(file->sources()[0].dropped[static_cast<std::size_t>(event_class::fiber)], 20u);
}

}  // namespace
}  // namespace terrane
