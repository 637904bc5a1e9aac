// SPDX-License-Identifier: Apache-2.0
// attentive_test.cpp: when a simulated node that runs a long fiber handles what has arrived, as set
// by the words `attentive` and `tick_ns` of its network.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/run_program.hpp"

namespace terrane {
namespace {

constexpr operation second{"second", 1e9};
constexpr int chores_of_all = 20;  // more than a node's pool keeps for others

struct chore : threaded<chore> {
  step start(slot_ref when_done) {
    charge(second, 1);
    when_done.signal();
    return done;
  }
};

struct chores : threaded<chores> {
  join all = on<&chores::end>();
  step start(int, char**) {
    charge(second, 0);
    for (int i = 0; i < chores_of_all; ++i) spawn<chore>(all.one());
    return await(all);
  }
  step end() {
    charge(second, 0);
    return done;
  }
};

class attentive : public testing::Test {
 protected:
  ~attentive() override { std::filesystem::remove(file_); }

  /// How long the chores take on as many nodes, that ask each other over such a network.
  double seconds_with(const char* words) {
    std::ofstream(file_) << "latency_ns = 20000\npoll_ns = 1000\nask_ns_max = 100000\n" << words;
    run_options options;
    options.world = "sim";
    options.nodes = chores_of_all;
    options.balancer = "spn";
    options.network = file_;
    const auto run = run_program<chores>(options, {"chores"});
    EXPECT_EQ(run.outcome.exit_code, 0);
    return run.outcome.statistics.elapsed_seconds;
  }

 private:
  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("attentive." + std::to_string(getpid()) + ".net");
};

TEST_F(attentive, between_fibers_a_node_gives_when_its_first_fiber_has_ended) {
  EXPECT_NEAR(seconds_with(""), 2, 0.2);
}

TEST_F(attentive, within_fibers_it_gives_at_once_however_many_it_has) {
  EXPECT_NEAR(seconds_with("attentive = 1\n"), 1, 0.01);
}

TEST_F(attentive, what_leaves_its_queue_leaves_at_its_clocks_tick) {
  EXPECT_NEAR(seconds_with("attentive = 1\ntick_ns = 250000000\n"), 1.25, 0.01);
}

}  // namespace
}  // namespace terrane
