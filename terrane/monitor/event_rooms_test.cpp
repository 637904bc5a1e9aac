// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/event_rooms.hpp"

#include <gtest/gtest.h>

#include <string>

namespace terrane {
namespace {

std::string printed(const flight_recorder& recorder, std::uint32_t how_many) {
  testing::internal::CaptureStderr();
  recorder.print_last(0, how_many);
  return testing::internal::GetCapturedStderr();
}

event_writer writer_to(const flight_recorder& recorder, kept_events* kept) {
  event_writer writer;
  writer.attach(nullptr, nullptr, 0, kept, rare_events, false, recorder.places());
  return writer;
}

void decide(event_writer& writer, std::uint64_t at, const char* what, std::int64_t about) {
  writer.at(at);
  writer.put<event_id::decision>(what, about, std::int64_t{2}, std::int64_t{-3}, 4);
}

TEST(flight_recorder, one_that_saw_nothing_prints_nothing) {
  const flight_recorder recorder(3, 3, true);
  EXPECT_EQ(printed(recorder, 16), "");
}

TEST(flight_recorder, an_event_is_a_line_with_its_time_node_and_numbers) {
  flight_recorder recorder(3, 3, true);
  event_writer writer = writer_to(recorder, recorder.of_policy(2));
  decide(writer, 1'500'000, "asks for work", 1);
  EXPECT_EQ(printed(recorder, 16),
            "terrane: the last 1 events (balancers, messages between nodes, moves):\n"
            "  0.001500 s  node 2  asks for work (about 1; 2, -3)\n");
}

TEST(flight_recorder, the_last_events_of_all_places_come_in_the_order_of_time) {
  flight_recorder recorder(2, 2, true);
  event_writer first = writer_to(recorder, recorder.of_policy(0)),
               second = writer_to(recorder, recorder.of_processor(1));
  decide(first, 3000, "third", 0);
  decide(second, 1000, "first", 0);
  decide(second, 2000, "second", 0);
  const std::string text = printed(recorder, 2);
  EXPECT_EQ(text.find("first"), text.npos);
  EXPECT_LT(text.find("second"), text.find("third"));
}

TEST(flight_recorder, it_keeps_the_newest_in_constant_space) {
  flight_recorder recorder(1, 1, true);
  event_writer writer = writer_to(recorder, recorder.of_policy(0));
  for (int i = 0; i < 10'000; ++i)
    decide(writer, static_cast<std::uint64_t>(i), i == 9'999 ? "the last" : "earlier", i);
  EXPECT_EQ(recorder.of_policy(0)->written(), 10'000u);
  EXPECT_NE(printed(recorder, 1).find("the last (about 9999"), std::string::npos);
}

TEST(flight_recorder, a_second_view_of_its_memory_sees_what_was_written) {
  std::vector<unsigned char> memory(flight_recorder::bytes_for(2, 2) + 64);
  auto* const aligned =
      memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  flight_recorder mine(2, 2, true, aligned);
  event_writer writer = writer_to(mine, mine.of_policy(1));
  decide(writer, 1000, "seen by both", 0);
  const flight_recorder other(2, 2, true, aligned);
  testing::internal::CaptureStderr();
  other.print_last_of(0, 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  other.print_last_of(1, 0);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("seen by both"), std::string::npos);
}

TEST(flight_recorder, a_name_that_is_no_constant_of_the_program_is_not_followed) {
  flight_recorder recorder(1, 1, true);
  event_writer writer = writer_to(recorder, recorder.of_policy(0));
  decide(writer, 1, reinterpret_cast<const char*>(std::uintptr_t{0x10}), 0);
  EXPECT_NE(printed(recorder, 1).find("(not a constant of the program)"), std::string::npos);
}

}  // namespace
}  // namespace terrane
