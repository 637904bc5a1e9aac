// SPDX-License-Identifier: Apache-2.0
// The critical path and the span of a graph that was made by hand, on a machine that costs nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>

#include "dashboard/critical_path.hpp"
#include "terrane/machine/trace_start.hpp"
#include "terrane/terrane.hpp"
#include "tests/support/run_program.hpp"

namespace terrane {
namespace hand_made {

constexpr operation nanosecond{"hand_made_work", 1};

struct job : threaded<job> {
  step start(int ns, slot_ref told) {
    charge(nanosecond, static_cast<std::uint64_t>(ns));
    told.signal();
    return done;
  }
};

struct chain : threaded<chain> {
  slot_ref told_;
  slot child_back = on<&chain::next>(1);
  step start(slot_ref told) {
    charge(nanosecond, 500);
    told_ = told;
    spawn<job>(200, ref(child_back));
    return wait;
  }
  step next() {
    charge(nanosecond, 50);
    told_.signal();
    return done;
  }
};

/// 100, then in parallel a job of 300 and a chain of 500, 200 and 50; then 70.
struct graph : threaded<graph> {
  slot both = on<&graph::joined>(2);
  step start(int, char**) {
    charge(nanosecond, 100);
    spawn<job>(300, ref(both));
    spawn<chain>(ref(both));
    return wait;
  }
  step joined() {
    charge(nanosecond, 70);
    return done;
  }
};

critical_path path_on(int nodes, std::int64_t& end) {
  run_options options{.nodes = nodes, .processors = 1, .world = "sim"};
  options.network = "zero";
  options.trace_file = testing::TempDir() + "critical_path_test.trace";
  EXPECT_TRUE(start_trace(options, {"graph"}));
  run_program<graph>(options, {"graph"});
  const auto opened = trace_file::open(options.trace_file);
  std::remove(options.trace_file.c_str());
  EXPECT_TRUE(opened);
  if (!opened) return {};
  const trace_file& file = *opened.value();
  const known_events known(file);
  end = 0;
  trace_file::in_time events(file);
  for (trace_event event; events.next(event);)
    if (event.type == known.fiber_ended) end = std::max(end, event.ns);
  return find_critical_path(file, known, 0, end);
}

TEST(critical_path, span_and_work_are_those_of_the_graph_on_any_machine) {
  for (const int nodes : {1, 2, 5}) {
    std::int64_t end = 0;
    const critical_path path = path_on(nodes, end);
    EXPECT_EQ(path.why_not, "");
    EXPECT_EQ(path.span_ns, 100 + 500 + 200 + 50 + 70) << nodes;
    EXPECT_EQ(path.work_ns, 100 + 300 + 500 + 200 + 50 + 70) << nodes;
    EXPECT_EQ(std::accumulate(path.ns.begin(), path.ns.end(), std::int64_t{0}), end) << nodes;
    EXPECT_EQ(path.ns[static_cast<std::size_t>(path_part::unknown)], 0) << nodes;
    std::int64_t until = 0;
    for (const path_step& each : path.steps) {
      EXPECT_EQ(each.begin, until);
      until = each.end;
    }
    EXPECT_EQ(until, end);
  }
}

TEST(critical_path, enough_nodes_leave_little_waiting) {
  std::int64_t end = 0;
  const critical_path path = path_on(4, end);
  EXPECT_LE(end, 1220);
  EXPECT_EQ(path.ns[static_cast<std::size_t>(path_part::program)] +
                path.ns[static_cast<std::size_t>(path_part::queued)] +
                path.ns[static_cast<std::size_t>(path_part::ready)] +
                path.ns[static_cast<std::size_t>(path_part::message_flies)] +
                path.ns[static_cast<std::size_t>(path_part::token_flies)] +
                path.ns[static_cast<std::size_t>(path_part::messages)] +
                path.ns[static_cast<std::size_t>(path_part::start)],
            end);
}

}  // namespace hand_made
}  // namespace terrane
