// SPDX-License-Identifier: Apache-2.0
// quiescence_test.cpp: a machine of nothing but detectors, messages, pools and timers, driven at
// random. It checks that quiescence is announced only when it is true, and then soon.
#include "terrane/core/quiescence.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "terrane/base/random.hpp"

namespace terrane {
namespace {

class simulated_machine {
 public:
  simulated_machine(std::uint32_t processors, std::uint32_t per_node, std::uint64_t seed,
                    int appetite)
      : per_node_(per_node), appetite_(appetite), random_(random_stream(seed).next(), processors) {
    for (processor_id i = 0; i < processors; ++i) all_.push_back({{i, processors}});
    pools_.resize((processors + per_node - 1) / per_node, 0);
    all_[0].active = true;
  }

  /// True if nothing is left that may still become work.
  bool really_quiet() const {
    for (const one& each : all_)
      if (each.active || each.timers != 0) return false;
    for (const int tokens : pools_)
      if (tokens != 0) return false;
    return wire_.empty();
  }

  /// One random step. True if it announced quiescence.
  bool step() {
    switch (random_.below(6)) {
      case 0: deliver(); return false;
      case 1: return look(anyone());
      case 2: take(anyone()); return false;
      case 3: deliver_probe(); return false;
      case 4: fire(anyone()); return false;
      default: act(anyone()); return false;
    }
  }

  /// A step of a machine in which nothing is left but the search itself.
  bool search_step() {
    deliver_probe();
    for (one& each : all_)
      if (each.detector.holds_probe()) return look(each);
    return false;
  }

  std::uint32_t processors() const { return static_cast<std::uint32_t>(all_.size()); }

 private:
  struct one {
    quiescence_detector detector;
    bool active = false;
    int timers = 0;
  };

  one& anyone() { return all_[random_.below(processors())]; }
  std::size_t node_of(const one& each) const {
    return static_cast<std::size_t>(&each - all_.data()) / per_node_;
  }

  /// What an active processor does: sends, sets a timer, fills the pool, or has nothing more to do.
  void act(one& self) {
    if (!self.active) {
      if (random_.below(8) == 0) rob();
      return;
    }
    if (static_cast<int>(random_.below(100)) >= appetite_ || sent_ > 500) {
      self.active = false;
      return;
    }
    ++sent_;
    switch (random_.below(4)) {
      case 0: ++self.timers; break;
      case 1:
        self.detector.sent();
        ++pools_[node_of(self)];
        break;
      default: self.detector.sent(); wire_.push_back(random_.below(processors()));
    }
  }

  /// A balancer moves a token, in any thread: usually that of an idle processor, or a receiver's.
  void rob() {
    int& from = pools_[random_.below(static_cast<std::uint32_t>(pools_.size()))];
    if (from == 0) return;
    --from;
    ++pools_[random_.below(static_cast<std::uint32_t>(pools_.size()))];
  }

  void deliver() {
    if (wire_.empty()) return;
    const std::size_t which = random_.below(static_cast<std::uint32_t>(wire_.size()));
    one& to = all_[wire_[which]];
    wire_[which] = wire_.back();
    wire_.pop_back();
    to.detector.received();
    to.active = true;
  }

  void take(one& self) {
    int& pool = pools_[node_of(self)];
    if (pool == 0) return;
    --pool;
    self.detector.received();
    self.active = true;
  }

  void fire(one& self) {
    if (self.timers == 0) return;
    --self.timers;
    self.active = true;
  }

  bool look(one& self) {
    // As the idle loop asks: nothing to run, nothing in its own pool, no timer.
    if (self.active || self.timers != 0 || pools_[node_of(self)] != 0) return false;
    const auto outcome = self.detector.passive();
    if (outcome.to_successor) {
      EXPECT_FALSE(probe_under_way_) << "there is one probe";
      probe_under_way_ = true;
      probe_ = *outcome.to_successor;
      probe_to_ = self.detector.successor();
    }
    return outcome.quiet;
  }

  void deliver_probe() {
    if (!probe_under_way_) return;
    probe_under_way_ = false;
    all_[probe_to_].detector.probe_arrived(probe_);
  }

  const std::uint32_t per_node_;
  const int appetite_;  // percent of an active processor's steps that make more work
  random_stream random_;
  std::vector<one> all_;
  std::vector<int> pools_;
  std::vector<processor_id> wire_;  // receivers of the messages under way
  bool probe_under_way_ = false;
  quiescence_probe probe_;
  processor_id probe_to_ = 0;
  int sent_ = 0;
};

struct shape {
  std::uint32_t processors, per_node;
};
class quiescence : public testing::TestWithParam<shape> {};

TEST_P(quiescence, it_is_announced_only_when_nothing_is_active_or_under_way_and_then_soon) {
  const auto [processors, per_node] = GetParam();
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    simulated_machine machine(processors, per_node, seed, 50 + static_cast<int>(seed % 45));
    bool announced = false;
    for (int steps = 0; steps < 2'000'000 && !machine.really_quiet(); ++steps) {
      announced = machine.step();
      ASSERT_FALSE(announced && !machine.really_quiet()) << "seed " << seed << " step " << steps;
    }
    ASSERT_TRUE(machine.really_quiet()) << "the simulation itself did not end, seed " << seed;
    // Wherever the probe is, it returns to processor 0, whitens all processors in one round, and
    // proves quiescence in the next.
    const std::uint32_t most = 3 * processors + 1;
    for (std::uint32_t hops = 0; hops < most && !announced; ++hops)
      announced = machine.search_step();
    EXPECT_TRUE(announced) << "not within three rounds, seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(machines, quiescence,
                         testing::Values(shape{1, 1}, shape{2, 1}, shape{2, 2}, shape{3, 1},
                                         shape{5, 2}, shape{8, 4}, shape{16, 1}),
                         [](const auto& about) {
                           return std::to_string(about.param.processors) + "_processors_" +
                                  std::to_string(about.param.per_node) + "_a_node";
                         });

TEST(quiescence_detector, a_processor_alone_that_never_worked_is_quiet_at_once) {
  quiescence_detector alone(0, 1);
  EXPECT_TRUE(alone.holds_probe());
  const auto outcome = alone.passive();
  EXPECT_TRUE(outcome.quiet);
  EXPECT_FALSE(outcome.to_successor.has_value());
}

TEST(quiescence_detector, a_processor_alone_with_work_under_way_to_itself_is_not_quiet) {
  quiescence_detector alone(0, 1);
  alone.sent();
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(alone.passive().quiet);
  alone.received();
  EXPECT_FALSE(alone.passive().quiet) << "black: it looks once more";
  EXPECT_TRUE(alone.passive().quiet);
}

TEST(quiescence_detector, of_two_only_who_holds_the_probe_passes_it_on) {
  quiescence_detector first(0, 2), second(1, 2);
  EXPECT_FALSE(second.passive().to_successor.has_value());
  const auto begun = first.passive();
  EXPECT_FALSE(begun.quiet) << "one round must be seen through";
  ASSERT_TRUE(begun.to_successor.has_value());
  EXPECT_FALSE(first.passive().to_successor.has_value()) << "it is under way";
  second.probe_arrived(*begun.to_successor);
  const auto onward = second.passive();
  EXPECT_FALSE(onward.quiet) << "only the first announces";
  ASSERT_TRUE(onward.to_successor.has_value());
  first.probe_arrived(*onward.to_successor);
  EXPECT_TRUE(first.passive().quiet);
}

TEST(quiescence_detector, a_message_under_way_shows_in_the_sum) {
  quiescence_detector first(0, 2), second(1, 2);
  first.sent();
  second.probe_arrived(*first.passive().to_successor);
  first.probe_arrived(*second.passive().to_successor);
  const auto outcome = first.passive();
  EXPECT_FALSE(outcome.quiet);
  EXPECT_TRUE(outcome.to_successor.has_value()) << "the next round begins";
}

TEST(quiescence_detector, a_receipt_since_the_last_round_spoils_this_one_but_not_the_next) {
  quiescence_detector first(0, 2), second(1, 2);
  first.sent();
  second.received();
  second.probe_arrived(*first.passive().to_successor);
  first.probe_arrived(*second.passive().to_successor);
  const auto spoilt = first.passive();
  EXPECT_FALSE(spoilt.quiet) << "the sum is zero, but the second was black";
  ASSERT_TRUE(spoilt.to_successor.has_value());
  second.probe_arrived(*spoilt.to_successor);
  first.probe_arrived(*second.passive().to_successor);
  EXPECT_TRUE(first.passive().quiet);
}

TEST(quiescence_detector, the_successor_of_the_last_is_the_first) {
  EXPECT_EQ(quiescence_detector(0, 3).successor(), 1u);
  EXPECT_EQ(quiescence_detector(2, 3).successor(), 0u);
  EXPECT_EQ(quiescence_detector(0, 1).successor(), 0u);
}

}  // namespace
}  // namespace terrane
