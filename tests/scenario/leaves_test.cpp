// SPDX-License-Identifier: Apache-2.0
// leaves_test.cpp: activations that end before they need a frame, and fibers that are named where
// they are awaited, come to the same answers and counts as all others, in every world.
#include <array>
#include <stdexcept>

#include "tests/support/run_to_failure.hpp"
#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class leaves : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, leaves, small_machines(), machine_name);

/// How many activations its tree has.
struct count_tree : threaded<count_tree> {
  reply<long> out;
  std::array<long, 3> below;
  join all = on<&count_tree::never>();

  static bool leaf(int depth, reply<long> to) {
    if (depth > 0) return false;
    to.send(1);
    return true;
  }
  step start(int depth, reply<long> to) {
    out = to;
    for (long& each : below) spawn<count_tree>(depth - 1, all.into(each));
    return await<&count_tree::sum>(all);
  }
  step never() {
    out.send(-1'000'000);
    return done;
  }
  step sum() {
    out.send(1 + below[0] + below[1] + below[2]);
    return done;
  }
};

struct tree_root : threaded<tree_root> {
  int* faults;
  long nodes;
  std::array<long, small_machine_processors_max> leaf;
  join all = on<&tree_root::finish>();
  step start(int* count) {
    faults = count;
    *faults = 0;
    spawn<count_tree>(6, all.into(nodes));
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<count_tree>(i, 0, all.into(leaf[i]));
    return await<&tree_root::finish>(all);
  }
  step finish() {
    *faults += nodes != (3 * 729 - 1) / 2;
    for (std::uint32_t i = 0; i < processors(); ++i) *faults += leaf[i] != 1;
    return done;
  }
};

TEST_P(leaves, answer_wherever_they_are_started_and_the_named_fiber_follows) {
  expect_no_faults<tree_root>();
}

TEST_P(leaves, count_as_tokens_and_fibers) {
  int faults = -1;
  const auto outcome = run_machine<tree_root>(machine(1), &faults);
  const std::uint64_t inner = (729 - 1) / 2, tokens = (3 * 729 - 1) / 2;
  const auto invoked = static_cast<std::uint64_t>(machine(1).nodes * machine(1).processors);
  EXPECT_EQ(faults, 0);
  EXPECT_EQ(outcome.statistics.tokens_generated, tokens);
  EXPECT_EQ(outcome.statistics.fibers_executed, 2 + tokens + inner + invoked) << "the root has two";
}

/// The fiber that is named is the one that runs after a wait, too.
struct waits_once : threaded<waits_once> {
  int* faults;
  join tick = on<&waits_once::wrong>();
  step start(int* count) {
    faults = count;
    *faults = 0;
    after(1'000'000, tick.one());
    return await<&waits_once::right>(tick);
  }
  step wrong() {
    ++*faults;
    return done;
  }
  step right() {
    if (tick.count != 1) ++*faults;
    return await<&waits_once::last>(tick);  // nothing is outstanding
  }
  step last() { return done; }
};

TEST_P(leaves, a_fiber_that_is_named_runs_after_a_wait_and_without_one) {
  expect_no_faults<waits_once>();
}

struct throws_in_leaf : threaded<throws_in_leaf> {
  static bool leaf(int) { throw std::runtime_error("no branch"); }
  step start(int) { return done; }
};
struct spawns_a_throwing_leaf : threaded<spawns_a_throwing_leaf> {
  step start(int) {
    spawn<throws_in_leaf>(1);
    return wait;
  }
};

class leaves_errors : public run_to_failure {};

TEST_F(leaves_errors, an_exception_that_leaves_one_is_said) {
  expect_failure<spawns_a_throwing_leaf>(
      machine_of(1), "R-270: an exception left .*throws_in_leaf::leaf: no branch", 0);
}

}  // namespace
}  // namespace terrane
