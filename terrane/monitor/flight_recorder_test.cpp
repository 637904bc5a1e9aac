// SPDX-License-Identifier: Apache-2.0
#include "terrane/monitor/flight_recorder.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace terrane {
namespace {

std::string printed(const flight_recorder& recorder, int how_many) {
  testing::internal::CaptureStderr();
  recorder.print_last(how_many);
  return testing::internal::GetCapturedStderr();
}

event at(std::uint64_t nanoseconds, node_id node, const char* what, std::int64_t about = 0) {
  return {nanoseconds, node, {what, about, 3, 4}};
}

TEST(flight_recorder, one_that_saw_nothing_prints_nothing) {
  const flight_recorder recorder(3);
  EXPECT_EQ(printed(recorder, 16), "");
  EXPECT_EQ(recorder.recorded(2), 0u);
}

TEST(flight_recorder, an_event_is_a_line_with_its_time_node_and_numbers) {
  flight_recorder recorder(3);
  recorder.record(at(1'234'567'000, 2, "gives", 7));
  EXPECT_EQ(printed(recorder, 16),
            "terrane: the last 1 balancing decisions:\n"
            "  1.234567 s  node 2  gives (about 7; 3, 4)\n");
}

TEST(flight_recorder, the_events_of_all_nodes_come_in_the_order_of_time) {
  flight_recorder recorder(2);
  recorder.record(at(1000, 0, "first"));
  recorder.record(at(4000, 0, "fourth"));
  recorder.record(at(2000, 1, "second"));
  recorder.record(at(3000, 1, "third"));
  const std::string text = printed(recorder, 16);
  EXPECT_LT(text.find("first"), text.find("second"));
  EXPECT_LT(text.find("second"), text.find("third"));
  EXPECT_LT(text.find("third"), text.find("fourth"));
  EXPECT_NE(text.find("the last 4"), text.npos);
}

TEST(flight_recorder, the_last_are_printed_and_no_more_than_asked_for) {
  flight_recorder recorder(1);
  for (std::int64_t i = 0; i < 20; ++i)
    recorder.record(at(static_cast<std::uint64_t>(i), 0, "about", 100 + i));
  const std::string text = printed(recorder, 3);
  EXPECT_NE(text.find("the last 3"), text.npos);
  EXPECT_EQ(text.find("about 116;"), text.npos);
  for (const char* each : {"about 117;", "about 118;", "about 119;"})
    EXPECT_NE(text.find(each), text.npos) << each;
}

TEST(flight_recorder, it_keeps_the_newest_in_constant_space_and_counts_all) {
  flight_recorder recorder(2);
  for (std::int64_t i = 0; i < 1000; ++i)
    recorder.record(at(static_cast<std::uint64_t>(i), 1, "about", i));
  EXPECT_EQ(recorder.recorded(1), 1000u);
  EXPECT_EQ(recorder.recorded(0), 0u);
  const std::string text = printed(recorder, 1000);
  EXPECT_NE(text.find("the last 64"), text.npos);
  EXPECT_NE(text.find("about 999;"), text.npos);
  EXPECT_NE(text.find("about 936;"), text.npos);
  EXPECT_EQ(text.find("about 935;"), text.npos);
}

TEST(flight_recorder, nodes_record_at_the_same_time_each_on_its_own) {
  flight_recorder recorder(2);
  const auto write = [&](node_id node) {
    for (std::uint64_t i = 0; i < 10'000; ++i) recorder.record(at(i, node, "about"));
  };
  std::thread other(write, 1);
  write(0);
  other.join();
  EXPECT_EQ(recorder.recorded(0), 10'000u);
  EXPECT_EQ(recorder.recorded(1), 10'000u);
}

}  // namespace
}  // namespace terrane
