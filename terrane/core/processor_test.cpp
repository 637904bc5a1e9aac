// SPDX-License-Identifier: Apache-2.0
// processor_test.cpp: the loop, turn by turn, on a machine without a world.
#include "terrane/core/processor.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>

#include "terrane/core/fake_machine_test.hpp"

namespace terrane {
namespace {

std::string ran;  // one letter for each fiber that ran, in order

void run_letter(terrane_processor*, const void* args) { ran += *static_cast<const char*>(args); }
constexpr terrane_function letter{"letter", nullptr,    0,       0,       sizeof(terrane_frame),
                                  1,        run_letter, nullptr, nullptr, 0};
terrane_token of_letter(char which) { return make_token(letter, &which); }

extern const terrane_fiber fiber_f, fiber_z;
constexpr terrane_function activation{"activation", nullptr, 0,       0, 64, 0,
                                      nullptr,      nullptr, nullptr, 0};
terrane_step run_f(terrane_frame*) { return ran += 'f', TERRANE_DONE; }
terrane_step run_z(terrane_frame*) { return ran += 'z', TERRANE_DONE; }
const terrane_fiber fiber_f{run_f, &activation, "f", nullptr, 0, TERRANE_PRIORITY_DEFAULT, false};
const terrane_fiber fiber_z{run_z, &activation, "z", nullptr, 0, 7, false};

class processor_turns : public testing::Test {
 protected:
  processor_turns() {
    ran.clear();
    self_.heed();  // a processor begins noticed
  }
  void push(char which) { *static_cast<char*>(terrane_token_push(&self_, &letter)) = which; }
  void ready(const terrane_fiber& fiber) {
    self_.make_ready(*terrane_frame_new(&self_, &activation, 0), fiber);
  }
  std::string run_all() {
    while (self_.turn()) {}
    return ran;
  }

  fake_machine machine_{2, 2};
  processor& self_ = machine_.as_processor(0);
};

TEST_F(processor_turns, run_what_is_ready_then_invoked_then_its_own_newest_then_the_pools_oldest) {
  machine_.home().exchange().put_arrived(of_letter('y'));
  machine_.home().exchange().put_arrived(of_letter('x'));
  push('a'), push('b');
  self_.start_here(letter, "i");
  ready(fiber_z);
  ready(fiber_f);
  EXPECT_EQ(run_all(), "fzibaxy");
  EXPECT_FALSE(self_.turn());
  EXPECT_FALSE(self_.has_work());
  EXPECT_EQ(self_.fibers_executed(), 7u);
  EXPECT_EQ(self_.counts().tokens_from_pool, 2u);
}

TEST_F(processor_turns, let_one_token_run_before_who_yielded) {
  push('a'), push('b');
  self_.make_ready_last(*terrane_frame_new(&self_, &activation, 0), fiber_f);
  EXPECT_EQ(run_all(), "bfa");
}

TEST_F(processor_turns, take_messages_first_when_somebody_asked) {
  ready(fiber_f);
  const int before = machine_.world.polls;
  self_.turn();
  EXPECT_EQ(machine_.world.polls, before);
  self_.notice();
  EXPECT_TRUE(self_.has_work());
  self_.turn();
  EXPECT_EQ(machine_.world.polls, before + 1);
}

TEST_F(processor_turns, end_with_the_run) {
  ready(fiber_f);
  self_.notice();
  self_.stop();
  EXPECT_FALSE(self_.turn());
  EXPECT_TRUE(self_.stopping());
  EXPECT_EQ(ran, "");
}

TEST_F(processor_turns, refuse_a_fiber_whose_activation_has_ended) {
  ready(fiber_f);
  ready(fiber_f);
  terrane_frame* const shared = terrane_frame_new(&self_, &activation, 0);
  self_.make_ready(*shared, fiber_f);
  self_.make_ready(*shared, fiber_f);
  EXPECT_EXIT(run_all(), testing::ExitedWithCode(122), "ended while its fiber f was ready to run");
}

TEST_F(processor_turns, run_a_handler_apart_from_what_runs) {
  const terrane_function inside{"inside",
                                nullptr,
                                0,
                                0,
                                0,
                                0,
                                [](terrane_processor* raw, const void*) {
                                  auto& self = *static_cast<processor*>(raw);
                                  ran += self.messages().in_handler ? 'h' : '-';
                                  ran += self.thread() ? '-' : 'n';
                                  ran += terrane_spawn_inline(raw) ? '-' : 'q';
                                  self.heed();  // takes no other message
                                },
                                nullptr,
                                nullptr,
                                0};
  const int before = machine_.world.polls;
  self_.run_handler(inside, nullptr);
  EXPECT_EQ(ran, "hnq");
  EXPECT_EQ(machine_.world.polls, before);
  EXPECT_FALSE(self_.messages().in_handler);
}

TEST_F(processor_turns, give_the_pool_their_oldest_when_noticed_and_keep_the_newest) {
  for (const char each : {'a', 'b', 'c'}) push(each);
  self_.notice();
  self_.heed_if_asked();
  EXPECT_EQ(machine_.home().exchange().pool().size(), 2u);
  EXPECT_EQ(self_.queued_hint(), 1);
}

TEST_F(processor_turns, show_others_how_much_is_queued_when_they_end) {
  for (const char each : {'a', 'b', 'c'}) push(each);
  EXPECT_EQ(self_.queued_hint(), 3) << "the owner knows";
  const auto seen_by_others = [&] {
    terrane_processor* const me = std::exchange(terrane_here, TERRANE_NO_PROCESSOR);
    const int seen = self_.queued_hint();
    terrane_here = me;
    return seen;
  };
  self_.turn();
  EXPECT_EQ(seen_by_others(), self_.queued_hint());
}

TEST(processor_spawns, run_a_child_at_once_when_enough_is_queued_and_nobody_wants_any) {
  fake_machine machine(2, 1);
  processor& self = machine.as_processor(0);
  for (int i = 0; i < 20; ++i) push_numbered(self, i);
  self.heed();  // fills the pool
  EXPECT_TRUE(terrane_spawn_inline(&self));
  EXPECT_EQ(self.tokens_generated(), 21u);
  machine.home().exchange().notice_all();
  self.make_ready(*terrane_frame_new(&self, &activation, 0), fiber_f);
  EXPECT_FALSE(terrane_spawn_inline(&self)) << "somebody is ready: the C stack is to unwind";
}

// --- idle ---

class counts_idle final : public balancer {
 public:
  explicit counts_idle(int& told) : told_(told) {}
  void on_idle(node_view&) override { ++told_; }

 private:
  int& told_;
};

TEST(idle_processor, tells_its_balancer_at_growing_intervals) {
  int told = 0;
  fake_machine machine(2, 1, std::make_unique<counts_idle>(told));
  processor& self = machine.as_processor(0);
  self.heed();
  std::vector<std::uint64_t> waits;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t again = self.while_idle(false);
    EXPECT_EQ(told, i + 1);
    waits.push_back(again - machine.world.clock);
    machine.world.clock = again - 1;
    self.while_idle(false);
    EXPECT_EQ(told, i + 1) << "not before its time";
    machine.world.clock = again;
  }
  for (std::size_t i = 1; i < waits.size(); ++i) EXPECT_EQ(waits[i], 2 * waits[i - 1]);
  self.idle_ended();
  EXPECT_EQ(self.while_idle(false) - machine.world.clock, waits[0]) << "short again";
}

TEST(idle_processor, fires_the_timers_that_are_due) {
  ran.clear();
  fake_machine machine(1, 1);
  processor& self = machine.as_processor(0);
  self.heed();
  terrane_frame* const frame = terrane_frame_new(&self, &activation, 0);
  auto* const slot = reinterpret_cast<terrane_slot*>(frame + 1);
  *slot = {1, {1}, &fiber_f};
  self.due().add(500, terrane_ref(frame, slot));
  EXPECT_EQ(self.while_idle(true), 500u) << "a timer is work to come: no search for quiescence";
  EXPECT_FALSE(machine.ended());
  machine.world.clock = 500;
  self.while_idle(true);
  EXPECT_TRUE(self.turn());
  EXPECT_EQ(ran, "f");
}

TEST(idle_processor, finds_a_machine_of_one_quiet) {
  fake_machine machine(1, 1);
  processor& self = machine.as_processor(0);
  self.heed();
  self.while_idle(false);
  EXPECT_FALSE(machine.ended()) << "not before it would sleep";
  for (int i = 0; i < 3 && !machine.ended(); ++i) self.while_idle(true);
  EXPECT_TRUE(machine.ended());
}

}  // namespace
}  // namespace terrane
