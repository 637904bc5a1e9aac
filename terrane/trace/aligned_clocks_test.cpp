// SPDX-License-Identifier: Apache-2.0
// aligned_clocks_test.cpp: traces of two hosts whose clocks differ, made by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "terrane/trace/format.hpp"
#include "terrane/trace/reader.hpp"

namespace terrane {
namespace {

constexpr std::int64_t ms = 1'000'000, one_second = 1'000 * ms, began = 100 * one_second;

constexpr const char* head = R"({"world":"tcp","nodes":2,"processors":1,
  "classes":[{"name":"message"}],"messages":["signal"],
  "events":[{"name":"stamp","class":0,"fields":[]},
    {"name":"message_sent","class":0,"sentence":"","fields":[
      {"name":"to","kind":"processor"},{"name":"message","kind":"message"},
      {"name":"bytes","kind":"number"}]},
    {"name":"message_taken","class":0,"sentence":"","fields":[
      {"name":"from","kind":"processor"},{"name":"message","kind":"message"},
      {"name":"bytes","kind":"number"}]}]})";

/// Events of two nodes, each by its own clock, in which ticks are nanoseconds.
struct two_hosts {
  std::int64_t offset = 0;  // of node 1's clock, at `began`
  double drift = 0;
  std::string bytes =
      std::string(trace_magic) + make_chunk(chunk_kind::head, launcher_process, 0, head);

  std::int64_t shown(std::uint32_t node, std::int64_t when) const {
    if (node == 0) return began + when;
    return began + when + offset + std::llround(static_cast<double>(when) * drift);
  }
  void clock(std::uint32_t node, std::int64_t when) {
    const auto now = static_cast<std::uint64_t>(shown(node, when));
    const std::uint64_t fields[] = {now, now, static_cast<std::uint64_t>(when)};
    bytes += make_chunk(chunk_kind::clock, node, 0,
                        {reinterpret_cast<const char*>(fields), sizeof fields});
  }
  void exchange(std::uint32_t node, std::int64_t when, std::int64_t way, std::int64_t back) {
    const std::uint64_t fields[] = {static_cast<std::uint64_t>(shown(node, when)),
                                    static_cast<std::uint64_t>(began + when + way),
                                    static_cast<std::uint64_t>(shown(node, when + way + back))};
    bytes += make_chunk(chunk_kind::exchange, node, 0,
                        {reinterpret_cast<const char*>(fields), sizeof fields});
  }
  /// type: 1, a message was sent; 2, one was taken.
  void message(std::uint32_t node, std::int64_t when, int type) {
    std::string event;
    add_number(event, static_cast<std::uint64_t>(shown(node, when)));
    event += static_cast<char>(type);
    event += std::string{static_cast<char>(1 - node), 0, 8};
    bytes += make_chunk(chunk_kind::events, node, node, event);
  }
  void flight(std::uint32_t from, std::int64_t left, std::int64_t arrived) {
    message(from, left, 1);
    message(1 - from, arrived, 2);
  }
  std::unique_ptr<trace_file> read() const {
    auto made = trace_file::read(bytes);
    EXPECT_TRUE(made);
    return std::move(made).value();
  }
};

/// The times of the events by source: node 0's, node 1's.
std::map<std::uint32_t, std::vector<std::int64_t>> times(const trace_file& file) {
  std::map<std::uint32_t, std::vector<std::int64_t>> all;
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);)
    all[file.sources()[event.source].number].push_back(event.ns);
  return all;
}

TEST(aligned_clocks, events_of_another_host_are_where_they_happened) {
  for (const std::int64_t offset : {-5 * one_second, 5 * one_second})
    for (const double drift : {-200e-6, 200e-6}) {
      two_hosts run{offset, drift};
      for (const std::int64_t when : {0l, 10 * one_second, 20 * one_second}) {
        run.clock(0, when);
        run.exchange(1, when, 40'000, 40'000);
        run.exchange(1, when + ms, 400'000, 90'000);
        run.clock(1, when + 2 * ms);
      }
      run.flight(1, 3 * one_second, 3 * one_second + ms);
      run.flight(0, 15 * one_second, 15 * one_second + ms);
      const auto file = run.read();
      ASSERT_EQ(file->host_clocks().size(), 1u);
      const auto& clock = file->host_clocks()[0];
      EXPECT_EQ(clock.process, 1u);
      EXPECT_NEAR(static_cast<double>(clock.offset_ns), -static_cast<double>(offset), 1e5);
      EXPECT_NEAR(clock.drift, -drift, 1e-6);
      EXPECT_LT(clock.error_ns, 100'000);
      EXPECT_EQ(clock.moved_ns, 0);
      EXPECT_TRUE(file->clock_doubts().empty());
      auto seen = times(*file);
      EXPECT_LE(std::abs(seen[1][0] - 3 * one_second), clock.error_ns);
      EXPECT_LE(std::abs(seen[1][1] - (15 * one_second + ms)), clock.error_ns);
      EXPECT_LE(std::abs(seen[0][0] - (3 * one_second + ms)), 1000);
    }
}

TEST(aligned_clocks, clocks_that_may_be_one_are_left_alone) {
  two_hosts run{0, 0};
  for (const std::int64_t when : {0l, 10 * one_second}) {
    run.clock(0, when);
    run.clock(1, when);
    run.exchange(1, when, 30'000, 300'000);
  }
  run.flight(1, one_second, one_second + 10);
  const auto file = run.read();
  EXPECT_TRUE(file->host_clocks().empty());
  EXPECT_EQ(times(*file)[1][0], one_second);
}

TEST(aligned_clocks, no_message_arrives_before_it_left) {
  // All of the exchange's delay is on one way, so its middle is wrong by 1 ms.
  for (const bool slow_way : {false, true}) {
    two_hosts run{5 * one_second, 0};
    for (const std::int64_t when : {0l, 10 * one_second}) {
      run.clock(0, when);
      run.exchange(1, when, slow_way ? 2 * ms : 0, slow_way ? 0 : 2 * ms);
      run.clock(1, when + 3 * ms);
    }
    run.flight(0, one_second, one_second + ms / 10);
    run.flight(1, 2 * one_second, 2 * one_second + ms / 10);
    const auto file = run.read();
    ASSERT_EQ(file->host_clocks().size(), 1u);
    EXPECT_NE(file->host_clocks()[0].moved_ns, 0);
    EXPECT_LE(std::abs(file->host_clocks()[0].moved_ns), file->host_clocks()[0].error_ns);
    EXPECT_TRUE(file->clock_doubts().empty());
    auto seen = times(*file);
    EXPECT_LE(seen[0][0], seen[1][0]);
    EXPECT_LE(seen[1][1], seen[0][1]);
  }
}

TEST(aligned_clocks, what_the_bound_does_not_allow_is_said) {
  two_hosts run{5 * one_second, 0};
  for (const std::int64_t when : {0l, 10 * one_second}) {
    run.clock(0, when);
    run.exchange(1, when, 1000, 1000);
    run.clock(1, when + ms);
  }
  run.flight(0, one_second + 5 * ms, one_second);  // no clock explains that
  const auto file = run.read();
  ASSERT_EQ(file->clock_doubts().size(), 1u);
  EXPECT_NE(file->clock_doubts()[0].find("before they left"), std::string::npos);
}

TEST(aligned_clocks, damaged_exchanges_are_left_out) {
  two_hosts run{5 * one_second, 0};
  run.clock(0, 0);
  run.clock(1, 0);
  run.bytes += make_chunk(chunk_kind::exchange, 1, 0, "short");
  const std::uint64_t absurd[] = {~std::uint64_t{0} >> 1, 1, std::uint64_t{1} << 63};
  run.bytes += make_chunk(chunk_kind::exchange, 1, 0,
                          {reinterpret_cast<const char*>(absurd), sizeof absurd});
  const auto file = run.read();
  EXPECT_EQ(file->problems().size(), 1u);
  EXPECT_TRUE(file->host_clocks().empty());
}

}  // namespace
}  // namespace terrane
