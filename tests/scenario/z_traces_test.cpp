// SPDX-License-Identifier: Apache-2.0
// Traces of whole runs: they agree with what the run says of itself, and change nothing.
#include <gtest/gtest.h>

#include <cstdio>
#include <limits>
#include <map>
#include <string>

#include "terrane/machine/trace_start.hpp"
#include "terrane/trace/reader.hpp"
#include "tests/support/known_programs.hpp"

namespace terrane {
namespace {

/// Runs fib, and returns the trace and the statistics.
struct traced_fib {
  explicit traced_fib(run_options options, int n) {
    options.trace_file = testing::TempDir() + "traces_test.trace";
    const auto started = start_trace(options, {"fib", std::to_string(n)});
    EXPECT_TRUE(started);
    statistics = expect_exactly<programs::fib_main>(programs::known_fib(n), options,
                                                    {"fib", std::to_string(n)});
    auto opened = trace_file::open(options.trace_file);
    std::remove(options.trace_file.c_str());
    EXPECT_TRUE(opened) << (opened ? "" : opened.problem());
    if (!opened) return;
    file = std::move(opened).value();
    trace_file::in_time events(*file);
    std::int64_t before = std::numeric_limits<std::int64_t>::min();
    for (trace_event event; events.next(event);) {
      const std::string& name = file->types()[event.type].name;
      ++counts[name];
      for (std::size_t i = 0; i < file->types()[event.type].fields.size(); ++i)
        sums[name + '.' + file->types()[event.type].fields[i].name] += event.values[i];
      EXPECT_GE(event.ns, before);
      before = event.ns;
    }
  }
  std::unique_ptr<trace_file> file;
  run_statistics statistics;
  std::map<std::string, std::uint64_t> counts, sums;
};

void expect_agreement(traced_fib& its) {
  const run_statistics& said = its.statistics;
  EXPECT_EQ(its.file->dropped(), 0u);
  EXPECT_EQ(its.counts["token_queued"] + its.counts["token_inlined"], said.tokens_generated);
  EXPECT_EQ(its.sums["fiber_ended.fibers"] + its.sums["fiber_ended.inlined"], said.fibers_executed);
  EXPECT_EQ(its.counts["fiber_started"] + its.counts["token_started"], its.counts["fiber_ended"]);
  EXPECT_EQ(its.counts["message_sent"] + its.counts["note_sent"] + its.counts["token_given"] +
                its.sums["tokens_robbed.tokens"],
            said.messages_sent);
  EXPECT_EQ(its.counts["token_given"] + its.sums["tokens_robbed.tokens"], said.tokens_moved);
}

TEST(traces, a_simulated_run_is_recorded_whole_and_runs_as_it_would) {
  run_options options{.nodes = 4, .processors = 2, .world = "sim"};
  const auto plain =
      expect_exactly<programs::fib_main>(programs::known_fib(14), options, {"fib", "14"});
  traced_fib its(options, 14);
  ASSERT_TRUE(its.file);
  expect_agreement(its);
  EXPECT_TRUE(its.file->run().simulated);
  EXPECT_EQ(its.statistics.of_world.report->to_json(1), plain.of_world.report->to_json(1));
}

TEST(traces, a_simulated_run_is_the_same_with_any_classes) {
  run_options options{.nodes = 3, .processors = 1, .world = "sim", .balancer = "his"};
  const auto plain =
      expect_exactly<programs::fib_main>(programs::known_fib(12), options, {"fib", "12"});
  for (std::uint32_t of = 0; of < event_class_count; ++of) {
    options.traced = event_mask{1} << of;
    const traced_fib its(options, 12);
    EXPECT_EQ(its.statistics.of_world.report->to_json(1), plain.of_world.report->to_json(1))
        << event_classes[of].name;
  }
}

TEST(traces, a_run_in_real_time_that_waits_is_recorded_whole) {
  traced_fib its({.nodes = 2, .processors = 1, .when_full = full_trace::wait}, 18);
  ASSERT_TRUE(its.file);
  expect_agreement(its);
}

TEST(traces, one_file_has_the_events_of_all_processes) {
  traced_fib its({.nodes = 3, .processors = 1, .world = "shm", .when_full = full_trace::wait}, 18);
  ASSERT_TRUE(its.file);
  EXPECT_EQ(its.counts["token_queued"] + its.counts["token_inlined"],
            its.statistics.tokens_generated);
  EXPECT_EQ(its.sums["fiber_ended.fibers"] + its.sums["fiber_ended.inlined"],
            its.statistics.fibers_executed);
  std::map<std::uint32_t, int> processes;
  for (const trace_source& each : its.file->sources()) ++processes[each.process];
  EXPECT_EQ(processes.size(), 3u);
}

TEST(traces, what_is_not_asked_for_is_not_recorded) {
  run_options options{.nodes = 2, .processors = 1, .world = "sim"};
  options.traced = bit_of(event_class::message);
  traced_fib its(options, 10);
  EXPECT_GT(its.counts["message_sent"], 0u);
  EXPECT_EQ(its.counts.size(), 2u);  // and message_taken
}

}  // namespace
}  // namespace terrane
