// SPDX-License-Identifier: Apache-2.0
// order_test.cpp: priorities and timers: in which order fibers run, and when.
//
// Source  docs/threaded-c-rules.md §4.
#include <array>
#include <utility>
#include <vector>

#include "tests/support/small_machines.hpp"

namespace terrane {
namespace {

class order_of_fibers : public on_a_small_machine {};
INSTANTIATE_TEST_SUITE_P(everywhere, order_of_fibers, small_machines(), machine_name);

// --- priorities ---

/// All ranks in one frame, signalled from the last to the first, each twice.
struct own_ranks : threaded<own_ranks> {
  int* faults;
  std::vector<int> order;
  slot first = on<&own_ranks::run<0>, 0>(1);
  slot second = on<&own_ranks::run<1>, 1>(1);
  slot third = on<&own_ranks::run<2>, 2>(1);
  slot fourth = on<&own_ranks::run<3>, 3>(1);
  slot fifth = on<&own_ranks::run<4>, 4>(1);
  slot sixth = on<&own_ranks::run<5>, 5>(1);
  slot seventh = on<&own_ranks::run<6>, 6>(1);
  slot eighth = on<&own_ranks::run<7>, 7>(1);
  slot over = on<&own_ranks::finish, 7>(16);

  step start(int* count) {
    faults = count;
    *faults = 0;
    for (int twice = 0; twice < 2; ++twice)
      for (slot* each : {&eighth, &seventh, &sixth, &fifth, &fourth, &third, &second, &first})
        signal(*each);
    return wait;
  }
  template <int Rank>
  step run() {
    order.push_back(Rank);
    signal(over);
    return wait;
  }
  step finish() {
    *faults += order != std::vector<int>{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7};
    return done;
  }
};

TEST_P(order_of_fibers, the_fibers_of_one_frame_run_by_priority) { expect_no_faults<own_ranks>(); }

/// One rank a frame; each tells the collector when it runs.
template <int Rank>
struct ranked : threaded<ranked<Rank>> {
  using self = ranked;
  global<mailbox> box;
  int number;
  slot enabled = self::template on<&self::run, Rank>(1, 0);

  step start(int mine, global<mailbox> collector, reply<slot_ref> ready) {
    number = mine;
    box = collector;
    ready.send(self::ref(enabled));
    return self::wait;
  }
  step run() {
    drop_in(box, Rank * 10 + number);
    return self::done;
  }
};

constexpr int each_rank = 3;  // activations of one rank
struct refs {
  std::array<slot_ref, 8 * each_rank> of;
};

}  // namespace

template <>
inline constexpr bool position_independent<refs> = true;

namespace {

/// Enables them all, the last first, before any of them can run.
struct backwards : threaded<backwards> {
  step start(refs all) {
    for (std::size_t rank = 8; rank-- > 0;)
      for (std::size_t i = 0; i < each_rank; ++i) all.of[rank * each_rank + i].signal();
    return done;
  }
};

template <bool Far>
struct foreign_ranks : threaded<foreign_ranks<Far>> {
  using self = foreign_ranks;
  int* faults;
  std::vector<int> order;
  refs all;
  join ready = self::template on<&self::enable>();
  slot arrived = self::template on<&self::collect>(8 * each_rank);
  mailbox box{self::ref(arrived)};

  step start(int* count) {
    faults = count;
    *faults = 0;
    make(std::make_integer_sequence<int, 8>());
    return self::await(ready);
  }
  template <int... Rank>
  void make(std::integer_sequence<int, Rank...>) {
    (make_rank<Rank>(), ...);
  }
  template <int Rank>
  void make_rank() {
    for (int i = 0; i < each_rank; ++i)
      self::template invoke<ranked<Rank>>(
          Far ? processors() - 1 : 0, i, to_global(box),
          ready.into(all.of[static_cast<std::size_t>(Rank * each_rank + i)]));
  }
  step enable() {
    self::template invoke<backwards>(Far ? processors() - 1 : 0, all);
    return self::wait;
  }
  step collect() {
    for (int got; box.retrieve(got);) order.push_back(got);
    std::vector<int> expected;
    for (int rank = 0; rank < 8; ++rank)
      for (int i = 0; i < each_rank; ++i) expected.push_back(rank * 10 + i);
    *faults += order != expected;
    return self::done;
  }
};

TEST_P(order_of_fibers,
       the_fibers_of_many_frames_run_by_priority_and_in_each_first_come_first_served) {
  expect_no_faults<foreign_ranks<false>>();
  expect_no_faults<foreign_ranks<true>>();
}

// --- timers ---

struct timed : threaded<timed> {
  static constexpr std::uint64_t step_ns = 3'000'000;
  reply<int> to;
  std::uint64_t begun;
  std::vector<int> order;
  int faults;
  slot third = on<&timed::run<3>>(1, 0);
  slot first = on<&timed::run<1>>(1, 0);
  slot second = on<&timed::run<2>>(2, 0);  // two timers of one time
  slot at_once = on<&timed::run<0>>(1, 0);
  slot over = on<&timed::finish>(4);

  step start(reply<int> out) {
    to = out;
    faults = 0;
    begun = now();
    after(3 * step_ns, ref(third));
    after(step_ns, ref(first));
    after(2 * step_ns, ref(second));
    after(2 * step_ns, ref(second));
    after(0, ref(at_once));
    return wait;
  }
  template <int Steps>
  step run() {
    order.push_back(Steps);
    faults += now() < begun + Steps * step_ns;
    signal(over);
    return wait;
  }
  step finish() {
    faults += order != std::vector<int>{0, 1, 2, 3};
    to.send(faults);
    return done;
  }
};
struct timed_everywhere : threaded<timed_everywhere> {
  int* faults;
  std::array<int, small_machine_processors_max> found;
  join all = on<&timed_everywhere::finish>();

  step start(int* count) {
    faults = count;
    *faults = 0;
    for (std::uint32_t i = 0; i < processors(); ++i) invoke<timed>(i, all.into(found[i]));
    return await(all);
  }
  step finish() {
    for (std::uint32_t i = 0; i < processors(); ++i) *faults += found[i];
    return done;
  }
};

TEST_P(order_of_fibers, timers_fire_in_the_order_of_their_times_and_never_too_early) {
  expect_no_faults<timed_everywhere>();
}

/// Further away than the clock can count.
struct far_timer : threaded<far_timer> {
  int* faults;
  slot never = on<&far_timer::count>(1);
  slot soon = on<&far_timer::finish>(1);

  step start(int* count) {
    faults = count;
    *faults = 0;
    after(~std::uint64_t{0}, ref(never));
    after(~std::uint64_t{0} - 1, ref(never));
    after(3'000'000, ref(soon));
    return wait;
  }
  step count() {
    ++*faults;
    return wait;
  }
  step finish() { return done; }
};

TEST_P(order_of_fibers, a_timer_beyond_the_end_of_time_does_not_fire) {
  expect_no_faults<far_timer>();
}

struct starter : threaded<starter> {
  step start(slot_ref where, reply<void> to) {
    where.signal();
    to.send();
    return done;
  }
};
/// A processor that is never idle must notice its timers all the same.
struct busy_until : threaded<busy_until> {
  int* faults;
  std::uint64_t begun;
  bool over;
  slot again = on<&busy_until::turn>(1);
  slot due = on<&busy_until::stop>(1);

  step start(int* count) {
    faults = count;
    *faults = 0;
    over = false;
    begun = now();
    after(2'000'000, ref(due));
    invoke<starter>(0, ref(again), nobody.into());
    return wait;
  }
  step turn() {
    if (over) return await(nobody);
    invoke<starter>(0, ref(again), nobody.into());
    return wait;
  }
  step stop() {
    over = true;
    return wait;
  }
  step finish() {
    *faults += now() < begun + 2'000'000;
    return done;
  }
  join nobody = on<&busy_until::finish>();
};

TEST_P(order_of_fibers, a_timer_fires_on_a_busy_processor_too) { expect_no_faults<busy_until>(); }

/// The same, while one frame alone keeps its processor busy with its own fibers.
struct busy_with_itself : threaded<busy_with_itself> {
  static constexpr std::uint64_t turns_max = 30'000'000;
  int* faults;
  std::uint64_t turns;
  bool over;
  slot again = on<&busy_with_itself::turn>(1);
  slot due = on<&busy_with_itself::stop>(1);

  step start(int* count) {
    faults = count;
    *faults = 0;
    turns = 0;
    over = false;
    after(2'000'000, ref(due));
    signal(again);
    return wait;
  }
  step turn() {
    *faults += turns == turns_max;
    if (over || turns++ == turns_max) return done;
    signal(again);
    return wait;
  }
  step stop() {
    over = true;
    return wait;
  }
};

TEST_P(order_of_fibers, a_timer_fires_while_a_fiber_keeps_enabling_itself) {
  expect_no_faults<busy_with_itself>();
}

}  // namespace
}  // namespace terrane
