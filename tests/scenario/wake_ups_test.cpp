// SPDX-License-Identifier: Apache-2.0
// wake_ups_test.cpp: a processor that sleeps is woken for what comes. A sleep usually ends by
// itself after a while, since an idle processor asks its balancer again, and that hides a lost
// wake-up. Here sleeps may last two seconds, and those that end by themselves although there was
// something to do are counted.
#include <gtest/gtest.h>

#include "terrane/base/atomic.hpp"
#include "terrane/machine/worlds.hpp"
#include "tests/support/run_machine.hpp"
#include "tests/support/worlds_to_test.hpp"

namespace terrane {
namespace {

run_options long_sleeps(const world_row& world, int nodes, int each) {
  run_options options;
  options.world = world.name;
  options.nodes = nodes;
  options.processors = each;
  options.enough = node_view::enough_all;
  options.longest_sleep_ms = 2'000;
  return options;
}

/// Runs Root in each world that runs in real time.
template <class Root>
void expect_no_late_wake_up(int nodes, int each) {
  for (const world_row* world : worlds_to_test()) {
    if (world->simulated) continue;
    SCOPED_TRACE(testing::Message() << world->name << ' ' << nodes << 'x' << each);
    const run_outcome outcome = run_machine<Root>(long_sleeps(*world, nodes, each), 0);
    EXPECT_EQ(outcome.exit_code, 7);
    EXPECT_EQ(outcome.statistics.late_wake_ups, 0u);
  }
}

constexpr std::uint64_t until_all_sleep = 500'000;

/// A message goes round, and rests at each processor until the others sleep.
struct rested_bouncer : threaded<rested_bouncer> {
  int left;
  reply<void> to;
  slot rested = on<&rested_bouncer::pass_on>(1, 0);
  step start(int count, reply<void> out) {
    left = count;
    to = out;
    after(until_all_sleep, ref(rested));
    return wait;
  }
  step pass_on() {
    if (left == 0)
      to.send();
    else
      invoke<rested_bouncer>((this_processor() + 1) % processors(), left - 1, to);
    return done;
  }
};
struct goes_round : threaded<goes_round> {
  join back = on<&goes_round::finish>();
  step start(int) {
    invoke<rested_bouncer>(processors() - 1, 200, back.into());
    return await(back);
  }
  step finish() {
    set_exit_code(7);
    return done;
  }
};

TEST(wake_ups, a_sleeper_is_woken_for_each_message) {
  for (const auto& [nodes, each] : {std::pair(2, 1), std::pair(1, 2), std::pair(2, 2)})
    expect_no_late_wake_up<goes_round>(nodes, each);
}

/// Two that wait for each other: each on a processor of its own, or for ever.
atomic<int> met;
struct meets : threaded<meets> {
  step start(reply<void> to) {
    met.fetch_add(1, memory_order_seq_cst);
    while (met.load(memory_order_seq_cst) < 2) pause_core();
    to.send();
    return done;
  }
};
struct meeting_point : threaded<meeting_point> {
  slot rested = on<&meeting_point::begin>(1, 0);
  join both = on<&meeting_point::finish>();
  step start(int) {
    met.store(0);
    after(until_all_sleep, ref(rested));
    return wait;
  }
  step begin() {
    spawn<meets>(both.into());
    spawn<meets>(both.into());
    return await(both);
  }
  step finish() {
    set_exit_code(7);
    return done;
  }
};

TEST(wake_ups, a_sleeper_is_woken_for_a_token_in_its_nodes_pool) {
  for (int round = 0; round < 20; ++round) expect_no_late_wake_up<meeting_point>(1, 2);
}

}  // namespace
}  // namespace terrane
