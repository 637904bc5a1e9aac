// SPDX-License-Identifier: Apache-2.0
// balancer_conformance_test.cpp: what every balancer must guarantee, whatever it does for speed:
// all work is done exactly once, every run ends, and no work moves where moving gains nothing.
//
// Every balancer in the table is tested here. To test a balancer of your own:
//   TERRANE_TRY_BALANCER=./mine.so build/tests/scenario_test --gtest_filter='own/*'
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "terrane/balance/table.hpp"
#include "terrane/base/random.hpp"
#include "tests/support/every_machine.hpp"
#include "tests/support/run_machine.hpp"
#include "tests/support/worlds_to_test.hpp"

namespace terrane {
namespace {

constexpr std::uint64_t seeds = 3;

auto machines_for(const std::vector<std::string>& names) {
  std::vector<machine_shape> all;
  for (const world_row* world : worlds_to_test())
    for (const std::string& each : names)
      for (const int nodes : node_counts({1, 2, 3, 8}))
        all.push_back({std::string(world->name), nodes, nodes == 2 ? 2 : 1, each, -1});
  return testing::ValuesIn(all);
}

std::vector<std::string> in_the_table() {
  std::vector<std::string> names;
  for (const balancer_entry& each : balancers())
    names.push_back(each.name == "central" ? "central:sample=1" : std::string(each.name));
  return names;
}

std::vector<std::string> to_be_tried() {
  const char* own = std::getenv("TERRANE_TRY_BALANCER");
  if (!own) return {};
  return {own};
}

class balancer_conformance : public on_a_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, balancer_conformance, machines_for(in_the_table()),
                         machine_name);
INSTANTIATE_TEST_SUITE_P(own, balancer_conformance, machines_for(to_be_tried()), machine_name);

/// Some hundred nanoseconds of work, as much as `amount` says.
void work(std::uint64_t amount) {
  random_stream stream(amount);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < amount * 100; ++i) sum += stream.next();
  asm volatile("" : : "r"(sum));
}

// --- uneven trees ---

/// Which children a task has, by its place in the tree alone.
struct shape_of_tree {
  std::uint64_t seed;
  bool one_hot;  // all at the root: a thousand leaves side by side
  int depth;

  int children(std::uint64_t place, int level) const {
    if (one_hot) return level == 0 ? 8 : level == 1 ? 60 : 0;
    if (level == depth) return 0;
    random_stream stream(random_stream(seed ^ place).next());
    // Heavy-tailed: most have few, some have many.
    return stream.below(8) == 0 ? 8 : static_cast<int>(stream.below(3)) + (level < 3 ? 1 : 0);
  }
  std::uint64_t child(std::uint64_t place, int which) const {
    return random_stream(place * 31 + static_cast<std::uint64_t>(which) + 1).next();
  }
  std::uint64_t amount(std::uint64_t place) const { return place % 16 == 0 ? 200 : place % 4; }

  long tasks(std::uint64_t place = 0, int level = 0) const {
    long sum = 1;
    for (int i = 0; i < children(place, level); ++i) sum += tasks(child(place, i), level + 1);
    return sum;
  }
};

}  // namespace

template <>
inline constexpr bool position_independent<shape_of_tree> = true;

namespace {

/// Adds one for itself to what its children found.
struct task : threaded<task> {
  static constexpr int children_max = 60;
  reply<long> to;
  join all = on<&task::add>();
  std::array<long, children_max> found;
  int children;

  step start(shape_of_tree shape, std::uint64_t place, int level, reply<long> out) {
    to = out;
    children = shape.children(place, level);
    work(shape.amount(place));
    for (int i = 0; i < children; ++i)
      spawn<task>(shape, shape.child(place, i), level + 1,
                  all.into(found[static_cast<std::size_t>(i)]));
    return await(all);
  }
  step add() {
    long sum = 1;
    for (int i = 0; i < children; ++i) sum += found[static_cast<std::size_t>(i)];
    to.send(sum);
    return done;
  }
};

/// Starts the tree on the processor named, after a while in which everybody is idle.
struct forest : threaded<forest> {
  long* found;
  shape_of_tree shape;
  std::uint32_t where;
  slot rested = on<&forest::plant>(1, 0);
  join grown = on<&forest::finish>();

  step start(shape_of_tree what, std::uint32_t on_processor, std::uint64_t idle_ns, long* result) {
    found = result;
    shape = what;
    where = on_processor % processors();
    if (idle_ns == 0) return plant();
    after(idle_ns, ref(rested));
    return wait;
  }
  step plant() {
    invoke<task>(where, shape, 0u, 0, grown.into(*found));
    return await(grown);
  }
  step finish() { return done; }
};

void expect_all_done_once(const run_options& options, const shape_of_tree& shape,
                          std::uint32_t where, std::uint64_t idle_ns) {
  long found = 0;
  const auto outcome = run_machine<forest>(options, shape, where, idle_ns, &found);
  const long expected = shape.tasks();
  EXPECT_EQ(found, expected) << "seed " << options.seed;
  EXPECT_EQ(outcome.statistics.tokens_generated, static_cast<std::uint64_t>(expected - 1));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_FALSE(outcome.deadlock);
  EXPECT_EQ(outcome.left.frames, 0u);
  EXPECT_EQ(outcome.tokens_left, 0u);
}

TEST_P(balancer_conformance, a_start_with_everything_on_one_processor_is_done_exactly_once) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    expect_all_done_once(machine(seed), {seed, true, 0}, 0, 0);
}

TEST_P(balancer_conformance, a_start_after_everybody_was_idle_is_done_exactly_once) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed)
    expect_all_done_once(machine(seed), {seed, true, 0}, 1000, 2'000'000);
}

TEST_P(balancer_conformance, trees_of_unequal_tasks_are_done_exactly_once) {
  for (std::uint64_t seed = 1; seed <= 2 * seeds; ++seed)
    expect_all_done_once(machine(seed), {seed, false, 9}, static_cast<std::uint32_t>(seed), 0);
}

TEST_P(balancer_conformance, even_if_every_child_is_queued_or_none_is) {
  for (const int enough : {0, node_view::enough_all}) {
    run_options options = machine(1);
    options.enough = enough;
    expect_all_done_once(options, {7, false, 9}, 0, 0);
    expect_all_done_once(options, {7, true, 0}, 0, 0);
  }
}

TEST(balancer_conformance_programs, have_trees_worth_the_name) {
  for (std::uint64_t seed = 1; seed <= 2 * seeds; ++seed) {
    EXPECT_GT((shape_of_tree{seed, false, 9}.tasks()), 100) << "seed " << seed;
    EXPECT_LT((shape_of_tree{seed, false, 9}.tasks()), 20'000) << "seed " << seed;
  }
  EXPECT_EQ((shape_of_tree{1, true, 0}.tasks()), 1 + 8 + 480);
}

// --- nothing to gain ---

/// One token at a time: each task hands on to the next and ends. Whoever takes it away only makes
/// its owner wait.
struct link : threaded<link> {
  step start(int left, reply<int> to) {
    work(1);
    if (left == 0)
      to.send(1);
    else
      spawn<link>(left - 1, to);
    return done;
  }
};
/// Keeps calling from another processor, so that the one of the chain must look up all the time.
struct caller : threaded<caller> {
  slot_ref other;
  reply<void> over;
  slot called_back = on<&caller::call>(1);
  slot enough = on<&caller::finish>(1, 0);

  step start(slot_ref called, reply<slot_ref> back, reply<slot_ref> stop, reply<void> out) {
    other = called;
    over = out;
    back.send(ref(called_back));
    stop.send(ref(enough));
    return wait;
  }
  step call() {
    other.signal();
    return wait;
  }
  step finish() {
    over.send();
    return done;
  }
};
struct chain : threaded<chain> {
  int* found;
  int length;
  bool over;
  slot_ref back, stop;
  join known = on<&chain::begin>();
  slot called = on<&chain::call_back>(1);
  join end = on<&chain::hang_up>();
  join hung_up = on<&chain::finish>();

  step start(int links, int* result) {
    found = result;
    length = links;
    over = false;
    if (processors() == 1) return go();
    invoke<caller>(processors() - 1, ref(called), known.into(back), known.into(stop),
                   hung_up.into());
    return await(known);
  }
  step begin() {
    back.signal();
    return go();
  }
  step go() {
    spawn<link>(length, end.into(*found));
    return await(end);
  }
  step call_back() {
    if (over)
      stop.signal();
    else
      back.signal();
    return wait;
  }
  step hang_up() {
    over = true;
    return processors() == 1 ? done : await(hung_up);
  }
  step finish() { return done; }
};

TEST_P(balancer_conformance, a_single_token_at_a_time_stays_where_it_is) {
  constexpr int length = 5000;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    run_options options = machine(seed);
    options.enough = node_view::enough_all;  // or no token would ever be there to be taken
    int found = 0;
    const auto outcome = run_machine<chain>(options, length, &found);
    EXPECT_EQ(found, 1);
    EXPECT_EQ(outcome.statistics.tokens_generated, length + 1u);
    EXPECT_EQ(outcome.statistics.tokens_moved, 0u) << "seed " << seed;
    for (const auto& each : outcome.statistics.per_processor)
      EXPECT_EQ(each.tokens_from_pool, 0u) << "processor " << each.processor;
  }
}

/// As many links as there are processors, each chain begun where it belongs: all are busy.
struct chains : threaded<chains> {
  std::array<int, 8> ends;
  join all = on<&chains::finish>();
  struct beginning : threaded<beginning> {
    step start(int length, reply<int> to) {
      spawn<link>(length, to);
      return done;
    }
  };
  step start(int length) {
    for (std::uint32_t i = 0; i < processors(); ++i)
      invoke<beginning>(i, length, all.into(ends[i]));
    return await(all);
  }
  step finish() { return done; }
};

TEST_P(balancer_conformance, when_every_processor_has_one_token_nothing_moves) {
  run_options options = machine(1);
  options.enough = node_view::enough_all;
  const auto outcome = run_machine<chains>(options, 3000);
  EXPECT_EQ(outcome.statistics.tokens_moved, 0u);
}

// --- something to gain ---

/// Leaves of some 10 us each for each part, all queued at one node while the others have nothing.
struct heavy_leaf : threaded<heavy_leaf> {
  step start(int parts, reply<int> to) {
    work(100 * static_cast<std::uint64_t>(parts));
    to.send(1);
    return done;
  }
};
struct heavy : threaded<heavy> {
  std::array<int, 1000> ones;
  join all = on<&heavy::finish>();
  step start(int parts) {
    for (int& each : ones) spawn<heavy_leaf>(parts, all.into(each));
    return await(all);
  }
  step finish() { return done; }
};

TEST_P(balancer_conformance, work_that_lies_on_one_node_reaches_another_unless_none_is_to_move) {
  std::uint64_t moved = 0;
  // A busy machine may give one node no core for the length of a run: it has some tries. Who first
  // hears from all nodes, once a sample, has longer ones.
  const bool samples = GetParam().balancer.starts_with("central");
  for (int seed = 1; moved == 0 && seed <= 20; ++seed)
    moved = run_machine<heavy>(machine(static_cast<std::uint64_t>(seed)), samples ? 2 * seed : 1)
                .statistics.tokens_moved;
  if (GetParam().nodes == 1 || GetParam().balancer == "nop" ||
      GetParam().balancer.find("template.so") != std::string::npos)
    EXPECT_EQ(moved, 0u);
  else
    EXPECT_GT(moved, 0u);
}

}  // namespace
}  // namespace terrane
