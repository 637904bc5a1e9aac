// SPDX-License-Identifier: Apache-2.0
// deadlock_test.cpp: an activation that waits for ever is found out at once, by the fiber that
// waits, its count and the line in the source.
#include "tests/support/expect_deadlock.hpp"

namespace terrane {
namespace {

class deadlock : public deadlock_scenario {};
INSTANTIATE_TEST_SUITE_P(everywhere, deadlock, one_two_and_four_nodes(), machine_name);

// --- one slot, one signal short ---

struct forgotten_signal : threaded<forgotten_signal> {
  TERRANE_FIRST_LINE;
  slot both = on<&forgotten_signal::finish>(2);
  step start(int) {
    signal(both);
    return wait;
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_forgotten_signal_is_named_with_the_count_that_is_left) {
  const auto outcome = expect_deadlock<forgotten_signal>({{"forgotten_signal", "finish", 1}}, 0);
  expect_places(outcome, {{forgotten_signal::first_line, forgotten_signal::last_line}});
  EXPECT_EQ(outcome.left.frames, 1u);
  ASSERT_EQ(outcome.left.waiting.size(), 1u);
  EXPECT_EQ(outcome.left.waiting[0].reset, 2);
  EXPECT_NE(describe_deadlock(outcome.left).find("waits for 1 more signal (count 1, reset 2)"),
            std::string::npos)
      << describe_deadlock(outcome.left);
}

// --- a count that is too high ---

struct helper : threaded<helper> {
  step start(slot_ref when) {
    when.signal();
    return done;
  }
};
struct wrong_count : threaded<wrong_count> {
  TERRANE_FIRST_LINE;
  slot all = on<&wrong_count::finish>(10, 0);
  step start(int helpers) {
    for (int i = 0; i < helpers; ++i)
      invoke<helper>(static_cast<std::uint32_t>(i) % processors(), ref(all));
    return wait;
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_wrong_count_is_told_by_how_much) {
  for (const int helpers : {0, 1, 7, 9}) {
    const auto outcome =
        expect_deadlock<wrong_count>({{"wrong_count", "finish", 10 - helpers}}, helpers);
    expect_places(outcome, {{wrong_count::first_line, wrong_count::last_line}});
  }
}

struct wrong_reset : threaded<wrong_reset> {
  TERRANE_FIRST_LINE;
  slot rounds = on<&wrong_reset::next>(1, 3);
  int round = 0;
  step start(int) {
    signal(rounds);
    return wait;
  }
  step next() {
    if (++round == 4) return done;
    signal(rounds);  // written for a reset of one
    return wait;
  }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_wrong_reset_is_told_with_what_is_left_of_the_second_round) {
  const auto outcome = expect_deadlock<wrong_reset>({{"wrong_reset", "next", 2}}, 0);
  expect_places(outcome, {{wrong_reset::first_line, wrong_reset::last_line}});
  EXPECT_EQ(outcome.left.waiting.at(0).reset, 3);
}

struct expects_too_much : threaded<expects_too_much> {
  TERRANE_FIRST_LINE;
  slot all = on<&expects_too_much::finish>(1, 0);
  step start(int) {
    all.expect(2);
    for (int i = 0; i < 2; ++i) spawn<helper>(ref(all));
    return wait;
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_slot_that_expects_one_too_many_is_named) {
  const auto outcome = expect_deadlock<expects_too_much>({{"expects_too_much", "finish", 1}}, 0);
  expect_places(outcome, {{expects_too_much::first_line, expects_too_much::last_line}});
}

struct never_armed : threaded<never_armed> {
  TERRANE_FIRST_LINE;
  slot blank = unarmed<&never_armed::finish>();
  step start(int) { return wait; }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_slot_that_was_never_given_a_count_is_named) {
  const auto outcome = expect_deadlock<never_armed>({{"never_armed", "finish", 0}}, 0);
  expect_places(outcome, {{never_armed::first_line, never_armed::last_line}});
  EXPECT_NE(describe_deadlock(outcome.left).find("has a slot that was never given a count"),
            std::string::npos);
}

// --- barriers, mailboxes, data ---

struct waits_for_itself : threaded<waits_for_itself> {
  TERRANE_FIRST_LINE;
  slot mine = on<&waits_for_itself::go_on>(1);
  slot over = on<&waits_for_itself::finish>(1);
  step start(int) { return wait; }
  step go_on() {
    signal(mine);
    signal(over);
    return wait;
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_fiber_that_only_itself_would_signal_is_named_with_what_waits_behind_it) {
  const auto outcome = expect_deadlock<waits_for_itself>(
      {{"waits_for_itself", "go_on", 1}, {"waits_for_itself", "finish", 1}}, 0);
  expect_places(outcome, {{waits_for_itself::first_line, waits_for_itself::last_line}});
}

struct member : threaded<member> {
  step start(slot_ref barrier) {
    barrier.signal();
    return done;
  }
};
struct uneven_barrier : threaded<uneven_barrier> {
  TERRANE_FIRST_LINE;
  slot everybody = on<&uneven_barrier::next>(static_cast<int>(processors()) + 1);
  int round = 0;
  step start(int) { return call(); }
  step call() {
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<member>(i, ref(everybody));
    return wait;
  }
  step next() { return ++round == 3 ? done : call(); }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_barrier_for_one_more_than_there_are_is_named) {
  const auto outcome = expect_deadlock<uneven_barrier>({{"uneven_barrier", "next", 1}}, 0);
  expect_places(outcome, {{uneven_barrier::first_line, uneven_barrier::last_line}});
}

struct producer : threaded<producer> {
  step start(global<mailbox> box, int count) {
    for (int i = 0; i < count; ++i) drop_in(box, i);
    return done;
  }
};
struct hungry_consumer : threaded<hungry_consumer> {
  TERRANE_FIRST_LINE;
  int left = 5;
  slot arrived = on<&hungry_consumer::take>(1);
  mailbox box{ref(arrived)};
  step start(int) {
    invoke<producer>(processors() - 1, to_global(box), 4);
    return wait;
  }
  step take() {
    int got;
    box.retrieve(got);
    return --left == 0 ? done : wait;
  }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_reader_that_waits_for_an_item_too_many_is_named) {
  const auto outcome = expect_deadlock<hungry_consumer>({{"hungry_consumer", "take", 1}}, 0);
  expect_places(outcome, {{hungry_consumer::first_line, hungry_consumer::last_line}});
}

/// The data arrives, and the signal goes to the wrong slot.
struct wrong_slot : threaded<wrong_slot> {
  TERRANE_FIRST_LINE;
  global<std::int64_t> place;
  std::int64_t value;
  join there = on<&wrong_slot::fetch>();
  slot fetched = on<&wrong_slot::finish>(1, 0);
  slot other = on<&wrong_slot::ignore>(1, 0);
  step start(int) {
    allocate(processors() - 1, 1, place, there.one());
    return await(there);
  }
  step fetch() {
    get(place, value, ref(other));
    return wait;
  }
  step ignore() {
    release(place);
    return wait;
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_signal_that_went_to_the_wrong_slot_leaves_the_right_one_waiting) {
  const auto outcome = expect_deadlock<wrong_slot>({{"wrong_slot", "finish", 1}}, 0);
  expect_places(outcome, {{wrong_slot::first_line, wrong_slot::last_line}});
}

/// It ends its own work, but the activation does not end.
struct forgot_to_end : threaded<forgot_to_end> {
  join answer = on<&forgot_to_end::next>();
  step start(int) {
    spawn<helper>(answer.one());
    return await(answer);
  }
  step next() { return wait; }
};

TEST_P(deadlock, an_activation_that_waits_for_nothing_is_counted_though_no_fiber_of_it_waits) {
  const auto outcome = expect_deadlock<forgot_to_end>({}, 0);
  EXPECT_EQ(outcome.left.frames, 1u);
  EXPECT_EQ(outcome.left.by_function.size(), 1u);
  EXPECT_NE(describe_deadlock(outcome.left).find("in all 1 of "), std::string::npos)
      << describe_deadlock(outcome.left);
}

/// Nobody gives the lock back.
struct takes_twice : threaded<takes_twice> {
  TERRANE_FIRST_LINE;
  lock door = lock::make();
  slot first = on<&takes_twice::take_again>(1, 0);
  slot second = on<&takes_twice::finish>(1, 0);
  step start(int) {
    door.take(ref(first));
    return wait;
  }
  step take_again() {
    door.take(ref(second));
    return wait;
  }
  step finish() { return done; }
  TERRANE_LAST_LINE;
};

TEST_P(deadlock, a_lock_that_is_not_given_back_is_named_beside_the_fiber_that_waits) {
  const auto outcome = expect_deadlock<takes_twice>({{"takes_twice", "finish", 1}}, 0);
  expect_places(outcome, {{takes_twice::first_line, takes_twice::last_line}});
  EXPECT_EQ(outcome.left.frames, 1u);
  EXPECT_EQ(outcome.left.objects, 1u);
  const std::string text = describe_deadlock(outcome.left);
  EXPECT_NE(text.find("  processor 0, node 0: the lock has 1 request to answer\n"), text.npos)
      << text;
}

}  // namespace
}  // namespace terrane
