// SPDX-License-Identifier: Apache-2.0
// launch_test.cpp: tests the launcher with a roster of the test's own; nodes do what the test says.
#include "terrane/machine/launch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <new>

#include "terrane/base/atomic.hpp"
#include "terrane/base/check.hpp"
#include "terrane/base/shared_block.hpp"
#include "terrane/core/failure.hpp"
#include "terrane/machine/node_share.hpp"
#include "terrane/transport/share_pipes.hpp"

namespace terrane {
namespace {

/// A roster of three nodes. Its words lie in memory that the child processes share with the test.
class kept_by_the_test final : public roster {
 public:
  static constexpr node_id count = 3;
  struct words {
    atomic<std::uint64_t> began{0}, beats[count]{};
    atomic<node_phase> phase[count]{};
    atomic<bool> lost[count]{};
  };

  kept_by_the_test() {
    TERRANE_CHECK(memory_.memory());
    shared = ::new (memory_.memory()) words;
  }

  words* shared;

  std::uint32_t nodes() const override { return count; }
  std::uint64_t began_ns() const override { return shared->began.load(memory_order_seq_cst); }
  life_signs signs_of(node_id n) const override {
    return {.phase = shared->phase[n].load(memory_order_seq_cst),
            .beats = shared->beats[n].load(memory_order_seq_cst)};
  }
  bool is_watched() const override { return false; }
  void lose(node_id n) override { shared->lost[n].store(true, memory_order_seq_cst); }
  result<int> open_share(node_id n) override { return shares_.open(n); }
  void leave_to_node() override { shares_.close_all(); }
  void add_waits(std::vector<pollfd>& to) const override { shares_.add_waits(to); }
  void look() override { shares_.look(); }
  const std::string& share_of(node_id n) const override { return shares_.share_of(n); }
  bool may_say_more(node_id n) const override { return shares_.is_open(n); }

 private:
  const shared_block memory_{sizeof(words)};
  share_pipes shares_{count};
};

run_options quiet_run() {
  run_options options;
  options.nodes = kept_by_the_test::count;
  options.processors = 1;
  options.quiet = true;
  return options;
}

void hand_in(const node_process& mine, const run_outcome& share) {
  const std::string text = share_text(share);
  TERRANE_CHECK(write(mine.result, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
}

TEST(launch, adds_the_shares_of_all_nodes_of_a_roster) {
  kept_by_the_test nodes;
  const auto ran = launch(quiet_run(), nodes, [](const node_process& mine) {
    run_outcome share;
    share.exit_code = mine.node == 0 ? 7 : 0;
    share.statistics.tokens_generated = 1 + mine.node;
    hand_in(mine, share);
    return 0;
  });
  ASSERT_TRUE(ran) << ran.problem();
  EXPECT_EQ(ran.value().exit_code, 7);
  EXPECT_EQ(ran.value().statistics.tokens_generated, 6u);
}

TEST(launch, names_a_node_that_dies_with_what_it_was_at) {
  kept_by_the_test nodes;
  testing::internal::CaptureStderr();
  const auto ran = launch(quiet_run(), nodes, [&](const node_process& mine) {
    nodes.shared->phase[mine.node].store(node_phase::running, memory_order_seq_cst);
    if (mine.node == 2) kill(getpid(), SIGKILL);
    for (;;) pause();
    return 0;
  });
  const std::string said = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(ran) << ran.problem();
  EXPECT_EQ(ran.value().exit_code, exit_node_lost);
  EXPECT_NE(said.find("terrane: node 2 (process "), said.npos) << said;
  EXPECT_NE(said.find(", running) was killed by signal 9"), said.npos) << said;
}

TEST(launch, tells_the_roster_of_a_loss_where_the_others_go_on) {
  kept_by_the_test nodes;
  run_options options = quiet_run();
  options.after_loss_s = 60;
  nodes.shared->began.store(1, memory_order_seq_cst);
  testing::internal::CaptureStderr();
  const auto ran = launch(options, nodes, [&](const node_process& mine) {
    if (mine.node == 2) kill(getpid(), SIGKILL);
    while (!nodes.shared->lost[2].load(memory_order_seq_cst)) {
      nodes.shared->beats[mine.node].fetch_add(1, memory_order_seq_cst);
      usleep(1000);
    }
    hand_in(mine, {});
    return 0;
  });
  const std::string said = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(ran) << ran.problem();
  EXPECT_EQ(ran.value().exit_code, exit_node_lost);
  EXPECT_NE(said.find("; the others have 60 s"), said.npos) << said;
}

}  // namespace
}  // namespace terrane
