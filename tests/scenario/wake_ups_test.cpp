// SPDX-License-Identifier: Apache-2.0
// wake_ups_test.cpp: a processor that sleeps is woken for what comes. A sleep usually ends by
// itself after a while, since an idle processor asks its balancer again, and that hides a lost
// wake-up. Here sleeps have no limit, so a run with a lost wake-up never ends.
#include <gtest/gtest.h>

#include "terrane/base/atomic.hpp"
#include "terrane/machine/machine.hpp"
#include "terrane/terrane.hpp"
#include "terrane/transport/local.hpp"

namespace terrane {
namespace {

/// Runs Root where no sleep has a limit.
template <class Root>
run_outcome run_without_limits(int nodes, int each) {
  using root = activation<Root, true>;
  typename root::packed args;
  root::convert(&Root::start, [&](auto... converted) { args = root::pack(converted...); }, 0);
  run_options options;
  options.nodes = nodes;
  options.processors = each;
  options.enough = node_view::enough_all;
  crew_options about;
  about.spin = false;
  about.asks_while_asleep = false;
  auto made = machine::make(
      options, std::make_unique<local_world>(static_cast<std::uint32_t>(nodes * each), about));
  EXPECT_TRUE(made);
  return made.value()->run(root::function, &args);
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
    EXPECT_EQ(run_without_limits<goes_round>(nodes, each).exit_code, 7) << nodes << "x" << each;
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
  for (int round = 0; round < 20; ++round)
    EXPECT_EQ(run_without_limits<meeting_point>(1, 2).exit_code, 7);
}

}  // namespace
}  // namespace terrane
