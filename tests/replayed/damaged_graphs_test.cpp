// SPDX-License-Identifier: Apache-2.0
// Graphs of runs that were changed in their trace: what is accepted can be replayed, and a replay
// ends, in bounded memory and time.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "dashboard/recorded_graph.hpp"
#include "programs/matmul/matmul.hpp"
#include "programs/queens/queens.hpp"
#include "terrane/machine/trace_start.hpp"
#include "tests/support/damaged_bytes.hpp"
#include "tests/support/run_program.hpp"
#include "tools/terrane/replayed_program.hpp"

namespace terrane {
namespace {

template <class Main>
std::string recorded(const std::vector<std::string>& words) {
  run_options options{.nodes = 3, .processors = 1, .world = "sim"};
  options.trace_file = testing::TempDir() + "damaged_graphs_test.trace";
  options.traced = bit_of(event_class::graph);
  const auto started = start_trace(options, words);
  EXPECT_TRUE(started) << (started ? "" : started.problem());
  const program_run run = run_program<Main>(options, words);
  end_trace(options, "{\"elapsed_seconds\": " +
                         std::to_string(run.outcome.statistics.elapsed_seconds) + "}");
  std::ifstream file(options.trace_file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  std::remove(options.trace_file.c_str());
  return bytes;
}

struct tally {
  int unreadable = 0, refused = 0, halted = 0, ended = 0;
};

/// Replays what is accepted, on a machine like the one that was recorded.
void judge(const std::string& bytes, tally& count) {
  const auto read = trace_file::read(bytes);
  if (!read) {
    EXPECT_FALSE(read.problem().empty());
    ++count.unreadable;
    return;
  }
  const auto graph = read_graph(*read.value());
  if (!graph || !can_replay(graph.value())) {
    EXPECT_TRUE(graph || !graph.problem().empty());
    ++count.refused;
    return;
  }
  run_options machine{.nodes = 3, .processors = 1, .world = "sim", .balancer = "rand"};
  machine.quiet = true;
  testing::internal::CaptureStderr();  // a graph that halts is reported as a deadlock
  const auto again = replay(graph.value(), machine);
  testing::internal::GetCapturedStderr();
  ASSERT_TRUE(again) << again.problem();
  ++(again.value().ended ? count.ended : count.halted);
}

std::string changed(const std::string& bytes, random_stream& random) {
  std::string its = bytes;
  damage(its, random);
  mend_sums(its);
  return its;
}

TEST(damaged_graphs, are_refused_or_replayed) {
  const std::array<std::string, 2> whole{recorded<programs::queens_main>({"queens", "8", "4"}),
                                         recorded<programs::matmul_main>({"matmul", "8", "4"})};
  tally count;
  for (const std::string& bytes : whole) {
    tally its;
    judge(bytes, its);
    EXPECT_EQ(its.ended, 1);
  }
  random_stream random(3, 3);
  for (std::size_t i = 0; i < 10'000; ++i) judge(changed(whole[i % 2], random), count);
  RecordProperty("halted", count.halted);
  EXPECT_EQ(count.unreadable + count.refused + count.halted + count.ended, 10'000);
  EXPECT_GT(count.refused, 1000);
  EXPECT_GT(count.ended, 50);
}

TEST(damaged_graphs, cut_off_anywhere_are_refused) {
  const std::string bytes = recorded<programs::queens_main>({"queens", "8", "4"});
  random_stream random(4, 4);
  tally count;
  for (int i = 0; i < 1000; ++i)
    judge(bytes.substr(0, random.below(static_cast<std::uint32_t>(bytes.size()))), count);
  EXPECT_EQ(count.unreadable + count.refused, 1000);
}

}  // namespace
}  // namespace terrane
