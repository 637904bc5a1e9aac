// SPDX-License-Identifier: Apache-2.0
#include "terrane/core/load_meter.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "terrane/core/fake_machine_test.hpp"

namespace terrane {
namespace {

TEST(load_meter, sums_are_kept_by_period_for_some_time) {
  period_sums sums;
  sums.begin(100, 4, 2);
  sums.add_span(50, 350, 2);
  EXPECT_EQ(sums.of(0), 100);
  EXPECT_EQ(sums.of(2), 200);
  EXPECT_EQ(sums.of(3), 100);
  sums.add(3, 1, 7);
  EXPECT_EQ(sums.of(3, 1), 7);
  sums.add(6, 0, 1);  // takes the place of period 2
  EXPECT_EQ(sums.of(2), 0);
  EXPECT_EQ(sums.of(6), 1);
  EXPECT_EQ(sums.of(6, 1), 0);
  EXPECT_EQ(sums.total(0), 601);
}

TEST(load_meter, a_level_is_known_in_all_periods_even_if_it_does_not_change) {
  metered_level level;
  level.begin(0);
  level.sums().begin(10, 64);
  level.change(5, 3);
  EXPECT_EQ(level.held(0, 2, 20), 15 + 30);
  level.change(25, -2);
  EXPECT_EQ(level.held(2, 3, 40), 15 + 5);
  EXPECT_EQ(level.held(3, 4, 40), 10);
  level.take_off(4, 40);
  EXPECT_EQ(level.held(3, 4, 40), 6);
  EXPECT_EQ(level.total(40), 15 + 30 + 15 + 5 + 10 - 4);
}

TEST(load_meter, a_reader_sees_a_level_before_or_after_a_change) {
  metered_level level;
  level.begin(0);
  level.sums().begin(1u << 30, 4);
  std::thread writer([&] {
    for (std::uint64_t now = 1; now < 200'000; ++now) level.set(now, now % 2 ? 1 : 0);
  });
  std::int64_t last = 0;
  while (last < 90'000) {
    const std::int64_t seen = level.held(0, 1, 0);
    EXPECT_GE(seen, last);  // whole, so it never falls
    last = seen;
  }
  writer.join();
  EXPECT_EQ(level.total(200'000), 100'000);
}

/// A node of a machine whose policy asks for metrics; it runs one fiber after another.
class asking final : public balancer {
 public:
  explicit asking(std::vector<metric_choice> what) : what_(std::move(what)) {}
  void on_start(node_view& node) override {
    for (const metric_choice& each : what_) node.measure(each);
    seen = &node;
  }
  node_view* seen = nullptr;

 private:
  const std::vector<metric_choice> what_;
};

TEST(load_meter, nothing_is_measured_that_nobody_asked_for) {
  auto policy = std::make_unique<asking>(std::vector<metric_choice>{});
  asking& asks = *policy;
  fake_machine machine(2, 1, std::move(policy));
  EXPECT_EQ(TERRANE_LOAD_RELAXED(&machine.at(0).events), 0u);
  EXPECT_FALSE(asks.seen->measured(metric::rq_length));
  EXPECT_FALSE(asks.seen->messages_to(1));
}

TEST(load_meter, what_is_ready_now_is_known_to_the_policy) {
  auto policy = std::make_unique<asking>(std::vector<metric_choice>{{metric::rq_length}});
  asking& asks = *policy;
  fake_machine machine(2, 1, std::move(policy));
  processor& self = machine.as_processor(0);
  EXPECT_EQ(asks.seen->measured(metric::rq_length), 0.0);
  alignas(64) terrane_frame frame{};
  terrane_fiber fiber{};
  fiber.priority = TERRANE_PRIORITY_DEFAULT;
  self.make_ready(frame, fiber);
  self.make_ready(frame, fiber);
  EXPECT_EQ(asks.seen->measured(metric::rq_length), 2.0);
  terrane_ready next;
  self.take_ready(next);
  EXPECT_EQ(asks.seen->measured(metric::rq_length), 1.0);
  EXPECT_FALSE(asks.seen->measured(metric::cpu_time));
  self.take_ready(next);
}

TEST(load_meter, messages_to_others_count_in_the_period_in_which_they_went) {
  metric_choice how{metric::rem_comm};
  how.period_ns = 3'000'000;
  auto policy = std::make_unique<asking>(std::vector<metric_choice>{how});
  asking& asks = *policy;
  fake_machine machine(3, 2, std::move(policy));
  processor& self = machine.as_processor(0);
  for (int i = 0; i < 5; ++i) self.send(2, entry::stop, {});
  self.send(1, entry::stop, {});  // within the node
  self.send(5, entry::stop, {});
  EXPECT_EQ(machine.home().meter().sent_in_all(1), 5u);
  EXPECT_EQ(machine.home().meter().sent_in_all(2), 1u);
  EXPECT_EQ(machine.home().meter().sent_in_all(0), 0u);
  // However late this thread is, some period that is over is the one just before.
  std::uint64_t sent = 5, seen = 0;
  for (const std::uint64_t end = monotonic_ns() + 20'000'000'000; seen == 0;) {
    ASSERT_LT(monotonic_ns(), end);
    self.send(2, entry::stop, {});
    ++sent;
    seen = asks.seen->messages_to(1).value_or(0);
  }
  EXPECT_LE(seen, sent);
}

TEST(metered_level, what_is_taken_off_from_long_ago_leaves_the_period_of_now_whole) {
  metered_level level;
  level.begin(0);
  level.sums().begin(10, 4);
  level.set(0, 1);
  level.take_off(45, 65);
  EXPECT_EQ(level.held(6, 7, 70), 5);
  EXPECT_EQ(level.held(3, 6, 70), 0);
}

}  // namespace
}  // namespace terrane
