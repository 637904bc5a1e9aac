// SPDX-License-Identifier: Apache-2.0
// explorer_test.cpp: the explorer finds what the memory model allows, and nothing else, in the
// well-known litmus tests.
#include "tests/models/explorer.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/models/modelled_atomic.hpp"

namespace terrane::model {
namespace {

using outcomes = std::set<std::pair<int, int>>;

/// Two threads store to a place each and read the other's.
outcomes store_buffering(order stores, order loads) {
  outcomes seen;
  const auto found = explore({}, [&](execution& run) {
    auto& x = run.make<atomic<int>>(0);
    auto& y = run.make<atomic<int>>(0);
    auto& read = run.make<std::pair<int, int>>();
    run.thread([&] {
      x.store(1, stores);
      read.first = y.load(loads);
    });
    run.thread([&] {
      y.store(1, stores);
      read.second = x.load(loads);
    });
    run.finally([&] { seen.insert(read); });
  });
  EXPECT_TRUE(found.complete);
  return seen;
}

TEST(explorer, each_may_overlook_the_other_unless_both_are_sequentially_consistent) {
  const outcomes all{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, consistent{{0, 1}, {1, 0}, {1, 1}};
  EXPECT_EQ(store_buffering(order::seq_cst, order::seq_cst), consistent);
  EXPECT_EQ(store_buffering(order::release, order::acquire), all);
  EXPECT_EQ(store_buffering(order::release, order::seq_cst), all);
  EXPECT_EQ(store_buffering(order::seq_cst, order::acquire), all);
}

/// One thread writes data, then a flag; what the other reads of both.
outcomes message_passing(order stores, order loads) {
  outcomes seen;
  const auto found = explore({}, [&](execution& run) {
    auto& data = run.make<atomic<int>>(0);
    auto& flag = run.make<atomic<int>>(0);
    auto& read = run.make<std::pair<int, int>>();
    run.thread([&] {
      data.store(1, memory_order_relaxed);
      flag.store(1, stores);
    });
    run.thread([&] {
      read.first = flag.load(loads);
      read.second = data.load(memory_order_relaxed);
    });
    run.finally([&] { seen.insert(read); });
  });
  EXPECT_TRUE(found.complete);
  return seen;
}

TEST(explorer, a_flag_brings_its_data_only_by_release_and_acquire) {
  const outcomes all{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, ordered{{0, 0}, {0, 1}, {1, 1}};
  EXPECT_EQ(message_passing(order::release, order::acquire), ordered);
  EXPECT_EQ(message_passing(order::seq_cst, order::seq_cst), ordered);
  EXPECT_EQ(message_passing(order::relaxed, order::acquire), all);
  EXPECT_EQ(message_passing(order::release, order::relaxed), all);
}

TEST(explorer, two_reads_of_one_place_never_go_back) {
  outcomes seen;
  explore({}, [&](execution& run) {
    auto& x = run.make<atomic<int>>(0);
    auto& read = run.make<std::pair<int, int>>();
    run.thread([&] { x.store(1, memory_order_relaxed); });
    run.thread([&] {
      read.first = x.load(memory_order_relaxed);
      read.second = x.load(memory_order_relaxed);
    });
    run.finally([&] { seen.insert(read); });
  });
  EXPECT_EQ(seen, (outcomes{{0, 0}, {0, 1}, {1, 1}}));
}

TEST(explorer, a_read_modify_write_loses_no_other_and_hands_on_what_was_released) {
  const auto found = explore({}, [](execution& run) {
    auto& data = run.make<plain<int>>();
    auto& count = run.make<atomic<int>>(0);
    run.thread([&] {
      data.write(7);
      count.fetch_add(1, memory_order_release);
    });
    run.thread([&] { count.fetch_add(1, memory_order_relaxed); });
    run.thread([&] {
      if (count.load(memory_order_acquire) == 2) run.require(data.read() == 7, "it is there");
    });
    run.finally([&] { run.require(count.load() == 2, "both count"); });
  });
  EXPECT_EQ(found.fault, "");
  EXPECT_TRUE(found.complete);
}

std::string fault_of_a_flag(order stores, order loads) {
  return explore({},
                 [&](execution& run) {
                   auto& data = run.make<plain<int>>();
                   auto& flag = run.make<atomic<int>>(0);
                   run.thread([&, stores] {
                     data.write(7);
                     flag.store(1, stores);
                   });
                   run.thread([&, loads] {
                     if (flag.load(loads) == 1) data.read();
                   });
                 })
      .fault;
}

TEST(explorer, data_that_no_order_protects_is_a_race) {
  EXPECT_EQ(fault_of_a_flag(order::release, order::acquire), "");
  EXPECT_NE(fault_of_a_flag(order::relaxed, order::acquire).find("a race"), std::string::npos);
  EXPECT_NE(fault_of_a_flag(order::release, order::relaxed).find("a race"), std::string::npos);
}

TEST(explorer, threads_that_wait_for_ever_are_a_fault) {
  const auto found = explore({}, [](execution& run) {
    auto& flag = run.make<atomic<int>>(0);
    run.thread([&] {
      while (flag.load(memory_order_relaxed) == 0) run.wait_for_change();
    });
  });
  EXPECT_EQ(found.fault, "all threads wait for ever");
}

TEST(explorer, a_sleeper_is_lost_where_the_wake_comes_before_the_sleep_and_nobody_looks_again) {
  const auto found = explore({}, [](execution& run) {
    auto& asleep = run.make<atomic<std::uint32_t>>(0u);
    run.thread([&] {
      asleep.store(1, memory_order_seq_cst);
      futex_wait(asleep, 1, -1);
    });
    run.thread([&] {
      if (asleep.load(memory_order_seq_cst) == 1) futex_wake(asleep);
    });
  });
  EXPECT_EQ(found.fault, "all threads wait for ever");
}

TEST(explorer, what_was_cut_off_is_not_called_complete) {
  const auto scenario = [](execution& run) {
    auto& x = run.make<atomic<int>>(0);
    for (int i = 0; i < 2; ++i)
      run.thread([&] {
        for (int n = 0; n < 3; ++n) x.fetch_add(1, memory_order_relaxed);
      });
  };
  EXPECT_TRUE(explore({}, scenario).complete);
  EXPECT_EQ(explore({}, scenario).executions, 20u);  // 6! / (3! 3!)
  EXPECT_FALSE(explore({.preemptions_max = 1}, scenario).complete);
  EXPECT_FALSE(explore({.executions_max = 5}, scenario).complete);
}

}  // namespace
}  // namespace terrane::model
