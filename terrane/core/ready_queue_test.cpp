// SPDX-License-Identifier: Apache-2.0
// ready_queue_test.cpp: the order in which a processor's work runs, and who may hand a turn on.
#include "terrane/core/ready_queue.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "terrane/base/reservation.hpp"
#include "terrane/core/place.hpp"
#include "terrane/core/token.hpp"

namespace terrane {
namespace {

constexpr std::uint64_t frames_at = 64 * 1024;

terrane_fiber of_priority(int priority) {
  return {nullptr, nullptr, "", nullptr, 0, static_cast<std::uint8_t>(priority), false};
}
const terrane_fiber usual = of_priority(TERRANE_PRIORITY_DEFAULT), second = usual,
                    first_of_all = of_priority(0), last_of_all = of_priority(7);
constexpr terrane_function invoked{"invoked",   nullptr, 0,       0,       0,
                                   sizeof(int), nullptr, nullptr, nullptr, 0};

/// A queue at the start of an arena, as in a processor, and frames in the arena.
class queue_of_ready : public testing::Test {
 protected:
  struct seen_queue : ready_queue {
    using ready_queue::attention_;
    using ready_queue::ready_queue;
    using ready_queue::turns_left_;
  };

  queue_of_ready()
      : arena_(std::size_t{1} << 20), queue_(*::new(arena_.address()) seen_queue(tokens_of_node_)) {
    queue_.attention_.asked = false;
    for (std::uint64_t i = 0; i < 4; ++i)
      frame(i).name = first_frame_name(0, frames_at + i * sizeof(terrane_frame) * 4);
  }
  ~queue_of_ready() override { queue_.~seen_queue(); }

  terrane_frame& frame(std::uint64_t i) {
    return *terrane_frame_at(&queue_,
                             first_frame_name(0, frames_at + i * sizeof(terrane_frame) * 4));
  }
  const terrane_fiber* take() {
    terrane_ready next;
    return queue_.take_ready(next) ? next.fiber : nullptr;
  }
  std::uint64_t take_frame() {
    terrane_ready next;
    return queue_.take_ready(next) ? next.frame : 0;
  }

  token_pool tokens_of_node_{8};
  reservation arena_;
  seen_queue& queue_;
};

TEST_F(queue_of_ready, runs_by_priority_then_first_come_first_served) {
  queue_.make_ready(frame(0), last_of_all);
  queue_.make_ready(frame(0), usual);
  queue_.make_ready(frame(1), second);
  queue_.make_ready(frame(2), first_of_all);
  EXPECT_TRUE(queue_.somebody_before_default());
  EXPECT_EQ(take(), &first_of_all);
  EXPECT_EQ(take(), &usual);
  EXPECT_EQ(take(), &second);
  EXPECT_EQ(take(), &last_of_all);
  EXPECT_EQ(take(), nullptr);
  EXPECT_FALSE(queue_.has_ready());
}

TEST_F(queue_of_ready, keeps_the_order_when_the_ring_grows_in_the_middle_of_a_round) {
  std::vector<std::uint64_t> expected;
  const auto put = [&](std::uint64_t i) {
    queue_.make_ready(frame(i % 4), usual);
    expected.push_back(frame(i % 4).name);
  };
  for (std::uint64_t i = 0; i < 200; ++i) put(i);
  for (int i = 0; i < 150; ++i) EXPECT_EQ(take_frame(), expected[static_cast<std::size_t>(i)]);
  for (std::uint64_t i = 200; i < 900; ++i) put(i);
  for (std::size_t i = 150; i < expected.size(); ++i) EXPECT_EQ(take_frame(), expected[i]);
  EXPECT_EQ(take_frame(), 0u);
}

TEST_F(queue_of_ready, lets_whoever_yields_follow_all_that_is_ready_and_a_token) {
  tokens_of_node_.put_newest({&invoked, {}});
  queue_.make_ready_last(frame(0), usual);
  queue_.make_ready(frame(1), second);
  EXPECT_EQ(take(), &second);
  EXPECT_EQ(take(), nullptr) << "the token's turn";
  EXPECT_TRUE(queue_.has_work());
  EXPECT_TRUE(queue_.bring_back_yielded());
  EXPECT_FALSE(queue_.bring_back_yielded());
  EXPECT_EQ(take(), &usual);
}

TEST_F(queue_of_ready, puts_whoever_yields_at_the_end_when_there_is_nothing_else) {
  queue_.make_ready(frame(1), second);
  queue_.make_ready_last(frame(0), usual);
  EXPECT_FALSE(queue_.bring_back_yielded());
  EXPECT_EQ(take(), &second);
  EXPECT_EQ(take(), &usual);
}

TEST_F(queue_of_ready, gives_what_was_invoked_in_order) {
  for (int i = 0; i < 3; ++i) queue_.invoke(make_token(invoked, &i));
  for (int i = 0; i < 3; ++i) {
    terrane_token token;
    EXPECT_TRUE(queue_.has_work());
    ASSERT_TRUE(queue_.take_invoked(token));
    EXPECT_EQ(std::memcmp(token.args, &i, sizeof i), 0);
  }
  terrane_token token;
  EXPECT_FALSE(queue_.take_invoked(token));
  EXPECT_FALSE(queue_.has_work());
}

TEST_F(queue_of_ready, gives_a_frame_its_own_fiber_only_if_nobody_elses_is_before) {
  terrane_ready next;
  queue_.make_ready(frame(0), usual);
  queue_.make_ready(frame(0), second);
  ASSERT_TRUE(queue_.take_of(frame(0), next));
  EXPECT_EQ(next.fiber, &usual);
  queue_.make_ready(frame(1), usual);
  queue_.make_ready(frame(0), usual);
  EXPECT_FALSE(queue_.take_of(frame(0), next));
}

// --- turns that are handed on ---

TEST_F(queue_of_ready, hands_a_turn_on_to_the_same_fiber_and_counts_it) {
  queue_.make_ready(frame(1), usual);
  const std::uint32_t before = queue_.turns_left();
  EXPECT_EQ(queue_.take_in_turn(second), nullptr) << "the loop runs that one";
  EXPECT_EQ(queue_.take_in_turn(usual), &frame(1));
  EXPECT_EQ(queue_.take_in_turn(usual), nullptr);
  queue_.count_passed_on(before);
  EXPECT_EQ(queue_.fibers, 1u);
}

TEST_F(queue_of_ready, hands_no_turn_on_to_a_frame_that_has_ended) {
  queue_.make_ready(frame(1), usual);
  frame(1).name += TERRANE_GENERATION_STEP;
  EXPECT_EQ(queue_.take_in_turn(usual), nullptr) << "the loop says what is wrong";
}

TEST_F(queue_of_ready, hands_no_turn_on_while_any_reason_holds) {
  for (const auto why : {ready_queue::world_listens, ready_queue::run_ends,
                         ready_queue::time_is_simulated, ready_queue::slices_end}) {
    queue_.keep_to_loop(why, true);
    EXPECT_FALSE(queue_.next_turn_is_free());
    queue_.keep_to_loop(why, false);
    EXPECT_TRUE(queue_.next_turn_is_free());
  }
}

TEST_F(queue_of_ready, hands_no_turn_on_when_the_loop_is_to_look_up) {
  queue_.attention_.asked = true;
  EXPECT_FALSE(queue_.next_turn_is_free());
  queue_.attention_.asked = false;
  queue_.turns_left_ = 1;
  EXPECT_FALSE(queue_.next_turn_is_free());
}

TEST_F(queue_of_ready, hands_no_turn_on_past_an_earlier_priority_but_past_a_token) {
  queue_.make_ready(frame(1), usual);
  tokens_of_node_.put_newest({&invoked, {}});
  queue_.make_ready(frame(2), first_of_all);
  EXPECT_FALSE(queue_.take_in_turn(frame(1)));
  take();
  EXPECT_FALSE(queue_.take_in_turn(frame(2))) << "it is not the first";
  EXPECT_TRUE(queue_.take_in_turn(frame(1)));
}

TEST_F(queue_of_ready, lets_two_that_yield_take_turns_without_the_loop) {
  queue_.make_ready(frame(1), usual);
  terrane_frame* next = nullptr;
  ASSERT_TRUE(queue_.take_turn_about(frame(0), usual, next));
  EXPECT_EQ(next, &frame(1));
  ASSERT_TRUE(queue_.take_turn_about(frame(1), usual, next));
  EXPECT_EQ(next, &frame(0));
  EXPECT_EQ(take_frame(), frame(1).name);
  ASSERT_TRUE(queue_.take_turn_about(frame(0), usual, next));
  EXPECT_EQ(next, nullptr) << "nobody else is ready: it goes on itself";
  tokens_of_node_.put_newest({&invoked, {}});
  EXPECT_FALSE(queue_.take_turn_about(frame(0), usual, next)) << "a token has its turn";
}

}  // namespace
}  // namespace terrane
