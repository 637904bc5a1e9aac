// SPDX-License-Identifier: Apache-2.0
// deadlock_among_many_test.cpp: when many activations wait for one another, the report names each
// of them, and nothing that has ended or fired before.
#include <array>

#include "tests/support/expect_deadlock.hpp"

namespace terrane {
namespace {

class deadlock_among_many : public deadlock_scenario {};
INSTANTIATE_TEST_SUITE_P(everywhere, deadlock_among_many, one_two_and_four_nodes(), machine_name);

// --- replies that get lost ---

struct forgetful : threaded<forgetful> {
  step start(int number, reply<int> to) {
    if (number % 3 != 0) to.send(number);
    return done;
  }
};
struct lost_replies : threaded<lost_replies> {
  TERRANE_FIRST_LINE;
  std::array<int, 10> answers;
  join all = on<&lost_replies::finish>();
  step start(int) {
    for (int i = 0; i < 10; ++i)
      spawn<forgetful>(i, all.into(answers[static_cast<std::size_t>(i)]));
    return await(all);
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock_among_many, replies_that_were_never_sent_are_counted) {
  const auto outcome = expect_deadlock<lost_replies>({{"lost_replies", "finish", 4}}, 0);
  expect_places(outcome, {{lost_replies::first_line, lost_replies::last_line}});
}

/// A tree in which one leaf forgets to answer: all its ancestors wait.
struct branch : threaded<branch> {
  TERRANE_FIRST_LINE;
  reply<int> to;
  int left, right;
  join both = on<&branch::add>();
  step start(int depth, bool sound, reply<int> out) {
    to = out;
    if (depth == 0) {
      if (sound) to.send(1);
      return done;
    }
    spawn<branch>(depth - 1, true, both.into(left));
    spawn<branch>(depth - 1, sound, both.into(right));
    return await(both);
  }
  step add() {
    to.send(left + right);
    return done;
  }
  TERRANE_LAST_LINE;
};
struct tree : threaded<tree> {
  TERRANE_FIRST_LINE;
  int leaves;
  join answer = on<&tree::finish>();
  step start(int depth) {
    spawn<branch>(depth, false, answer.into(leaves));
    return await(answer);
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock_among_many, one_lost_leaf_leaves_the_line_of_its_ancestors_waiting) {
  constexpr int depth = 7;
  std::vector<expected_fiber> expected(depth, {"branch", "add", 1});
  expected.push_back({"tree", "finish", 1});
  const auto outcome = expect_deadlock<tree>(expected, depth);
  EXPECT_EQ(outcome.left.frames, depth + 1u);
  expect_places(outcome,
                {{branch::first_line, branch::last_line}, {tree::first_line, tree::last_line}});
}

// --- waiting for one another ---

/// Each waits for its left neighbour before it signals its right one.
struct philosopher : threaded<philosopher> {
  TERRANE_FIRST_LINE;
  slot_ref right;
  reply<void> over;
  slot knows_right = on<&philosopher::think>(1, 0);
  slot from_left = on<&philosopher::eat>(1, 0);
  step start(reply<slot_ref> me, reply<global<slot_ref>> where, reply<slot_ref> when,
             reply<void> out) {
    over = out;
    me.send(ref(from_left));
    where.send(to_global(right));
    when.send(ref(knows_right));
    return wait;
  }
  step think() { return wait; }
  step eat() {
    right.signal();
    over.send();
    return done;
  }
  TERRANE_LAST_LINE;
};
struct table : threaded<table> {
  TERRANE_FIRST_LINE;
  static constexpr std::uint32_t seats = 5;
  std::array<slot_ref, seats> left_hands, knows;
  std::array<global<slot_ref>, seats> right_hands;
  join seated = on<&table::begin>();
  join eaten = on<&table::finish>();
  step start(int) {
    for (std::uint32_t i = 0; i < seats; ++i)
      invoke<philosopher>(i % processors(), seated.into(left_hands[i]), seated.into(right_hands[i]),
                          seated.into(knows[i]), eaten.into());
    return await(seated);
  }
  step begin() {
    for (std::uint32_t i = 0; i < seats; ++i)
      put(left_hands[(i + 1) % seats], right_hands[i], knows[i]);
    return await(eaten);
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock_among_many, a_cycle_is_named_from_end_to_end) {
  std::vector<expected_fiber> expected(table::seats, {"philosopher", "eat", 1});
  expected.push_back({"table", "finish", 5});
  const auto outcome = expect_deadlock<table>(expected, 0);
  expect_places(outcome, {{philosopher::first_line, philosopher::last_line},
                          {table::first_line, table::last_line}});
}

/// On the last processor, while the root waits on the first.
struct stuck_far_away : threaded<stuck_far_away> {
  TERRANE_FIRST_LINE;
  reply<void> to;
  slot never = on<&stuck_far_away::finish>(3, 0);
  step start(reply<void> out) {
    to = out;
    signal(never);
    return wait;
  }
  step finish() {
    to.send();
    return done;
  }
  TERRANE_LAST_LINE;
};
struct waits_for_far_away : threaded<waits_for_far_away> {
  TERRANE_FIRST_LINE;
  join answer = on<&waits_for_far_away::finish>();
  step start(int) {
    invoke<stuck_far_away>(processors() - 1, answer.into());
    return await(answer);
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock_among_many, a_fiber_that_waits_far_away_is_named_with_its_processor) {
  const auto outcome = expect_deadlock<waits_for_far_away>(
      {{"stuck_far_away", "finish", 2}, {"waits_for_far_away", "finish", 1}}, 0);
  expect_places(outcome, {{stuck_far_away::first_line, stuck_far_away::last_line},
                          {waits_for_far_away::first_line, waits_for_far_away::last_line}});
  for (const waiting_fiber& each : outcome.left.waiting)
    EXPECT_EQ(each.processor, each.function.ends_with("stuck_far_away") ? last() : 0);
}

// --- what is said of many ---

/// Two slots of one frame, one with a priority, and a join: each by its own name.
struct many_slots : threaded<many_slots> {
  TERRANE_FIRST_LINE;
  slot first = on<&many_slots::one>(5);
  slot second = on<&many_slots::two, 0>(6, 0);
  join third = on<&many_slots::three>();
  slot fired = on<&many_slots::four>(1, 0);
  step start(int) {
    signal(fired);
    invoke<forgetful>(0, 0, third.into(lost));
    return await(third);
  }
  step one() { return done; }
  step two() { return done; }
  step three() { return done; }
  step four() {
    signal(first);
    signal(second);
    return wait;
  }
  int lost;
  TERRANE_LAST_LINE;
};

TEST_P(deadlock_among_many,
       all_that_wait_in_one_frame_are_named_and_what_has_fired_for_good_is_not) {
  const auto outcome = expect_deadlock<many_slots>(
      {{"many_slots", "one", 4}, {"many_slots", "two", 5}, {"many_slots", "three", 1}}, 0);
  expect_places(outcome, {{many_slots::first_line, many_slots::last_line}});
}

/// Frames of other activations lay where this one waits.
struct after_much_work : threaded<after_much_work> {
  TERRANE_FIRST_LINE;
  int sum;
  join sound = on<&after_much_work::go_on>();
  join lost = on<&after_much_work::finish>();
  step start(int) {
    spawn<branch>(10, true, sound.into(sum));
    return await(sound);
  }
  step go_on() {
    spawn<forgetful>(3, lost.into(sum));
    return await(lost);
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock_among_many, what_ended_before_leaves_no_trace_in_the_report) {
  const auto outcome = expect_deadlock<after_much_work>({{"after_much_work", "finish", 1}}, 0);
  EXPECT_EQ(outcome.left.frames, 1u);
  expect_places(outcome, {{after_much_work::first_line, after_much_work::last_line}});
}

struct many_waiting : threaded<many_waiting> {
  join all = on<&many_waiting::finish>();
  step start(int count) {
    for (int i = 0; i < count; ++i) spawn<stuck_far_away>(all.into());
    return await(all);
  }
  step finish() { return done; }
};

TEST_P(deadlock_among_many, of_very_many_the_first_are_named_and_the_rest_counted) {
  const auto outcome = run_machine<many_waiting>(machine(1), 1000);
  EXPECT_TRUE(outcome.deadlock);
  EXPECT_EQ(outcome.left.frames, 1001u);
  EXPECT_EQ(outcome.left.waiting.size(), 20u);
  const std::string text = describe_deadlock(outcome.left);
  EXPECT_NE(text.find("1001 activations wait"), std::string::npos) << text;
  EXPECT_NE(text.find("in all 1000 of "), std::string::npos) << text;
}

}  // namespace
}  // namespace terrane
