// SPDX-License-Identifier: Apache-2.0
// policy_host_test.cpp: what a policy hears and does, on threads that are processors and on others.
#include "terrane/core/policy_host.hpp"

#include <gtest/gtest.h>

#include "terrane/core/fake_machine_test.hpp"

namespace terrane {
namespace {

/// A policy that does what a note asks of it, for the sender of the note.
class obedient final : public balancer {
 public:
  enum : std::uint32_t { give_oldest, give_newest, take, pass, answer };
  void on_note(node_view& node, node_id from, const note& asked) override {
    switch (asked.kind) {
      case give_oldest: node.give_oldest(from, static_cast<int>(asked.value)); break;
      case give_newest: node.give_newest(from); break;
      case take: node.take_oldest(from, static_cast<int>(asked.value)); break;
      case pass: node.pass_oldest(from, asked.about); break;
      case answer: node.tell(from, {asked.kind, node.me(), node.load()}); break;
    }
  }
  void on_tick(node_view& node) override { node.give_oldest(1, 1); }
  void on_start(node_view& node) override { node.every(100); }
};

struct machine_that_gives : fake_machine {
  explicit machine_that_gives(std::uint32_t nodes)
      : fake_machine(nodes, 1, std::make_unique<obedient>()) {}
};

TEST(policy_host, gives_what_its_pool_holds_when_a_thread_that_is_no_processor_brings_the_note) {
  machine_that_gives machine(3);
  machine.home().policy().token_arrived(nullptr, 1, numbered(7), {});
  machine.home().policy().token_arrived(nullptr, 1, numbered(8), {});
  machine.home().policy().note_arrived(nullptr, 2, {obedient::give_oldest, 0, 1}, 0);
  machine.home().policy().note_arrived(nullptr, 1, {obedient::give_newest, 0, 0}, 0);
  ASSERT_EQ(machine.world.tokens.size(), 2u);
  EXPECT_EQ(machine.world.tokens[0].to, 2u);
  EXPECT_EQ(number_of(machine.world.tokens[0].token), 8) << "what arrives lies at the old end";
  EXPECT_EQ(machine.world.tokens[1].to, 1u);
  EXPECT_EQ(number_of(machine.world.tokens[1].token), 7);
  EXPECT_EQ(machine.world.tokens[1].mover, nullptr);
  EXPECT_EQ(machine.home().exchange().queued(), 0);
}

TEST(policy_host, takes_passes_and_answers_on_a_thread_that_is_no_processor) {
  machine_that_gives machine(3);
  machine.world.offered_elsewhere = {numbered(1), numbered(2), numbered(3)};
  machine.home().policy().note_arrived(nullptr, 1, {obedient::take, 0, 2}, 0);
  EXPECT_EQ(machine.home().exchange().queued(), 2);
  machine.home().policy().note_arrived(nullptr, 1, {obedient::pass, 2, 0}, 0);
  ASSERT_EQ(machine.world.tokens.size(), 1u);
  EXPECT_EQ(machine.world.tokens[0].hint.origin, 2u);
  machine.home().policy().note_arrived(nullptr, 2, {obedient::answer, 0, 0}, 0);
  ASSERT_EQ(machine.world.notes.size(), 1u);
  EXPECT_EQ(machine.world.notes[0].what.value, 1) << "its load";
  machine.home().policy().tick_if_due(nullptr, 100);
  EXPECT_EQ(machine.world.tokens.size(), 2u);
}

TEST(policy_host, gives_of_a_private_stack_only_in_the_thread_of_its_processor) {
  machine_that_gives machine(2);
  processor& self = machine.as_processor(0);
  push_numbered(self, 1), push_numbered(self, 2);
  machine.home().policy().note_arrived(nullptr, 1, {obedient::give_newest, 0, 0}, 0);
  machine.home().policy().note_arrived(nullptr, 1, {obedient::give_oldest, 0, 2}, 0);
  EXPECT_TRUE(machine.world.tokens.empty());
  machine.home().policy().note_arrived(&self, 1, {obedient::give_newest, 0, 0}, 0);
  machine.home().policy().note_arrived(&self, 1, {obedient::give_oldest, 0, 2}, 0);
  ASSERT_EQ(machine.world.tokens.size(), 1u) << "the last one runs next";
  EXPECT_EQ(number_of(machine.world.tokens[0].token), 2);
  EXPECT_EQ(machine.world.tokens[0].mover, &self);
}

TEST(policy_host, charges_the_time_of_its_policy_to_the_processor_that_brought_the_news) {
  class slow final : public balancer {
   public:
    explicit slow(std::uint64_t*& clock) : clock_(clock) {}
    void on_note(node_view&, node_id, const note&) override { *clock_ += 30; }

   private:
    std::uint64_t*& clock_;
  };
  std::uint64_t* clock = nullptr;
  fake_machine machine(2, 1, std::make_unique<slow>(clock));
  clock = &machine.world.clock;
  machine.home().policy().note_arrived(nullptr, 1, {}, 0);
  EXPECT_EQ(machine.at(0).times().balance, 0u);
  machine.home().policy().note_arrived(&machine.at(0), 1, {}, 0);
  EXPECT_EQ(machine.at(0).times().balance, 30u);
}

}  // namespace
}  // namespace terrane
