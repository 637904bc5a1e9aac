// SPDX-License-Identifier: Apache-2.0
// slots_test.cpp: slots and joins: which fiber runs, and how often, from wherever the signals come.
//
// Source  docs/threaded-c-rules.md §4.
#include <array>
#include <vector>

#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class slots : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, slots, small_machines(), machine_name);

// --- counts ---

/// So many signals, then an answer that comes behind them.
struct signaller : threaded<signaller> {
  step start(slot_ref where, int times, reply<void> to) {
    for (int i = 0; i < times; ++i) where.signal();
    to.send();
    return done;
  }
};

template <bool Far>
struct counted : threaded<counted<Far>> {
  using self = counted;
  struct line {
    std::size_t slot;
    int signals;
    int runs;  // of its fiber by then
  };
  static constexpr std::array<line, 21> script{{
      {0, 2, 0}, {0, 1, 1},     {0, 2, 1}, {0, 4, 3}, {0, 3, 4},   //
      {1, 1, 0}, {1, 1, 1},     {1, 4, 1}, {1, 1, 2}, {1, 10, 4},  //
      {2, 2, 0}, {2, 1, 1},                                        //
      {3, 2, 0}, {3, 1, 1},     {3, 1, 2},                         //
      {4, 1, 0}, {4, 1, 1},     {4, 2, 1}, {4, 1, 2},              //
      {5, 1, 1}, {5, 100, 101},
  }};

  int* faults;
  std::array<int, 6> runs;
  std::size_t at;
  slot every_third = self::template on<&self::template run<0>>(3);
  slot second_then_fifth = self::template on<&self::template run<1>>(2, 5);
  slot third_only = self::template on<&self::template run<2>>(3, 0);
  slot expecting = self::template on<&self::template run<3>>(1);
  slot armed_later = self::template unarmed<&self::template run<4>>();
  slot each = self::template on<&self::template run<5>>(1);
  join told = self::template on<&self::next>();

  step start(int* count) {
    faults = count;
    *faults = 0;
    runs.fill(0);
    at = 0;
    expecting.expect(2);
    armed_later.arm(2, 3);
    return again();
  }
  step again() {
    if (at == script.size()) return self::done;
    const std::array<slot_ref, 6> all{self::ref(every_third), self::ref(second_then_fifth),
                                      self::ref(third_only),  self::ref(expecting),
                                      self::ref(armed_later), self::ref(each)};
    self::template invoke<signaller>(Far ? processors() - 1 : 0, all[script[at].slot],
                                     script[at].signals, told.into());
    return self::await(told);
  }
  step next() {
    *faults += runs[script[at].slot] != script[at].runs;
    ++at;
    return again();
  }
  template <std::size_t Which>
  step run() {
    ++runs[Which];
    return self::wait;
  }
};

TEST_P(slots, a_fiber_runs_when_the_count_is_reached_and_then_at_every_reset) {
  expect_no_faults<counted<false>>();
  expect_no_faults<counted<true>>();
}

/// Every processor signals one slot.
struct counted_by_all : threaded<counted_by_all> {
  static constexpr int each = 50;
  int* faults;
  int runs;
  slot tenth = on<&counted_by_all::run>(10);
  join told = on<&counted_by_all::finish>();

  step start(int* count) {
    faults = count;
    *faults = runs = 0;
    for (std::uint32_t i = 0; i < processors(); ++i)
      invoke<signaller>(i, ref(tenth), each, told.into());
    return await(told);
  }
  step run() {
    ++runs;
    return wait;
  }
  step finish() {
    *faults += runs != each / 10 * static_cast<int>(processors());
    return done;
  }
};

TEST_P(slots, no_signal_of_many_processors_is_lost) { expect_no_faults<counted_by_all>(); }

/// Three slots and a join, all for one fiber.
struct shared_fiber : threaded<shared_fiber> {
  int* faults;
  int runs;
  slot first = on<&shared_fiber::run>(1, 0);
  slot second = on<&shared_fiber::run>(2, 0);
  slot third = on<&shared_fiber::run>(1, 3);
  join fourth = on<&shared_fiber::run>();
  join told = on<&shared_fiber::check>();

  step start(int* count) {
    faults = count;
    *faults = runs = 0;
    const std::uint32_t far = processors() - 1;
    invoke<signaller>(far, ref(first), 1, told.into());
    invoke<signaller>(far, ref(second), 2, told.into());
    invoke<signaller>(far, ref(third), 1 + 3 + 2, told.into());
    invoke<signaller>(far, ref(third), 0, fourth.into());
    return await(fourth);
  }
  step run() {
    ++runs;
    // The join has fired once; the next wait is for the answers.
    return runs == 5 ? await(told) : wait;
  }
  step check() {
    *faults += runs != 5;
    return done;
  }
};

TEST_P(slots, several_slots_can_enable_one_fiber) { expect_no_faults<shared_fiber>(); }

/// A fiber that is enabled while another one of its frame runs.
struct held : threaded<held> {
  int* faults;
  bool running;
  int runs;
  slot enabled = on<&held::run>(1);
  slot over = on<&held::finish>(3);

  step start(int* count) {
    faults = count;
    *faults = runs = 0;
    running = true;
    signal(enabled);
    signal(enabled);
    *faults += runs != 0;
    running = false;
    return wait;
  }
  step run() {
    *faults += running;
    running = true;
    if (++runs < 3) signal(over);
    if (runs == 1) signal(enabled);
    if (runs == 3) signal(over);
    *faults += runs > 3;
    running = false;
    return wait;
  }
  step finish() {
    *faults += running || runs != 3;
    return done;
  }
};

TEST_P(slots, a_fiber_enabled_by_its_own_frame_waits_until_the_running_one_ends) {
  expect_no_faults<held>();
}

// --- joins ---

struct echo : threaded<echo> {
  step start(int value, reply<int> to) {
    to.send(value);
    return done;
  }
};

struct joins : threaded<joins> {
  int* faults;
  int round, expected;
  std::array<int, 10> values;
  join all = on<&joins::next>();

  step start(int* count) {
    faults = count;
    *faults = round = 0;
    return ask();
  }
  /// `round` answers, from every processor in turn; none in the first round.
  step ask() {
    values.fill(-1);
    for (int i = 0; i < round; ++i)
      invoke<echo>(static_cast<std::uint32_t>(i) % processors(), round * 100 + i,
                   all.into(values[static_cast<std::size_t>(i)]));
    return await(all);
  }
  step next() {
    for (int i = 0; i < static_cast<int>(values.size()); ++i)
      *faults += values[static_cast<std::size_t>(i)] != (i < round ? round * 100 + i : -1);
    if (round++ == static_cast<int>(values.size())) return done;
    return ask();
  }
};

TEST_P(slots, a_join_fires_once_all_replies_are_back_even_if_none_was_asked_for) {
  expect_no_faults<joins>();
}

/// The answers come before the activation waits for them.
struct late_join : threaded<late_join> {
  int* faults;
  int value;
  join early = on<&late_join::finish>();
  slot pause = on<&late_join::wait_for_it>(1);

  step start(int* count) {
    faults = count;
    *faults = 0;
    value = 0;
    invoke<echo>(processors() - 1, 42, early.into(value));
    after(3'000'000, ref(pause));
    return wait;
  }
  step wait_for_it() { return await(early); }
  step finish() {
    *faults += value != 42;
    return done;
  }
};

TEST_P(slots, a_join_keeps_what_came_before_it_was_awaited) { expect_no_faults<late_join>(); }

}  // namespace
}  // namespace terrane
