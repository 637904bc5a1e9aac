// SPDX-License-Identifier: Apache-2.0
// false_alarm_test.cpp: programs that are quiet for a long time, or keep one processor busy while
// all others idle, are never called deadlocked.
//
// The machines here wait for the real clock, most of them side by side in threads of their own.
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "tests/support/run_machine.hpp"

namespace terrane {
namespace {

constexpr int repetitions = 50;

run_options machine_of(int nodes, int processors, std::uint64_t seed) {
  run_options options;
  options.nodes = nodes;
  options.processors = processors;
  options.seed = seed;
  return options;
}

/// The shapes in turn, each repetition with its own seed.
run_options machine_for(int repetition) {
  constexpr int shapes[][2] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}, {4, 1}};
  const auto& shape = shapes[repetition % 5];
  return machine_of(shape[0], shape[1], static_cast<std::uint64_t>(repetition) + 1);
}

/// Runs Root that often, so many at a time, and expects each to end well.
template <class Root>
void expect_no_alarm(int at_a_time, int times = repetitions) {
  std::atomic<int> next{0}, alarms{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < at_a_time; ++t)
    threads.emplace_back([&] {
      for (int i; (i = next.fetch_add(1)) < times;) {
        const auto outcome = run_machine<Root>(machine_for(i), 0);
        alarms += outcome.deadlock;
        wrong += outcome.exit_code != 7 || outcome.left.frames != 0;
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(alarms, 0);
  EXPECT_EQ(wrong, 0);
}

/// Nothing at all happens for 300 ms on any processor.
struct late_riser : threaded<late_riser> {
  reply<void> to;
  slot due = on<&late_riser::wake>(1, 0);
  step start(reply<void> out) {
    to = out;
    after(300'000'000, ref(due));
    return wait;
  }
  step wake() {
    to.send();
    return done;
  }
};
struct waits_for_a_timer : threaded<waits_for_a_timer> {
  join awake = on<&waits_for_a_timer::finish>();
  step start(int) {
    invoke<late_riser>(processors() - 1, awake.into());
    return await(awake);
  }
  step finish() {
    set_exit_code(7);
    return done;
  }
};

TEST(false_alarm, a_program_that_only_waits_for_a_timer_is_not_deadlocked) {
  expect_no_alarm<waits_for_a_timer>(repetitions / 2);
}

/// One message at a time is under way, and everybody is passive most of the time.
struct bouncer : threaded<bouncer> {
  step start(int left, std::uint32_t home, reply<void> to) {
    if (left == 0)
      to.send();
    else
      invoke<bouncer>((this_processor() + 1) % processors(), left - 1, home, to);
    return done;
  }
};
struct ping_pong : threaded<ping_pong> {
  join back = on<&ping_pong::finish>();
  step start(int) {
    invoke<bouncer>(processors() - 1, 2000, 0u, back.into());
    return await(back);
  }
  step finish() {
    set_exit_code(7);
    return done;
  }
};

TEST(false_alarm, a_long_ping_pong_of_single_messages_is_not_a_deadlock) {
  expect_no_alarm<ping_pong>(1);
}

/// The same with pauses, so that all processors are asleep between two messages.
struct slow_bouncer : threaded<slow_bouncer> {
  int left;
  reply<void> to;
  slot rested = on<&slow_bouncer::pass_on>(1, 0);
  step start(int count, reply<void> out) {
    left = count;
    to = out;
    after(2'000'000, ref(rested));
    return wait;
  }
  step pass_on() {
    if (left == 0)
      to.send();
    else
      invoke<slow_bouncer>((this_processor() + 1) % processors(), left - 1, to);
    return done;
  }
};
struct slow_ping_pong : threaded<slow_ping_pong> {
  join back = on<&slow_ping_pong::finish>();
  step start(int) {
    invoke<slow_bouncer>(processors() - 1, 40, back.into());
    return await(back);
  }
  step finish() {
    set_exit_code(7);
    return done;
  }
};

TEST(false_alarm, a_ping_pong_that_sleeps_in_between_is_not_a_deadlock) {
  expect_no_alarm<slow_ping_pong>(10);
}

/// One fiber takes 200 ms, and nothing else is there to do.
template <bool Busy>
struct slow : threaded<slow<Busy>> {
  step start(reply<void> to) {
    if constexpr (Busy) {
      const std::uint64_t until = now() + 200'000'000;
      while (now() < until) {}
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    to.send();
    return threaded<slow>::done;
  }
};
template <bool Busy>
struct one_slow_fiber : threaded<one_slow_fiber<Busy>> {
  using self = one_slow_fiber;
  join over = self::template on<&self::finish>();
  step start(int) {
    self::template invoke<slow<Busy>>(processors() - 1, over.into());
    return self::await(over);
  }
  step finish() {
    set_exit_code(7);
    return self::done;
  }
};

TEST(false_alarm, a_fiber_that_blocks_its_processor_while_others_idle_is_not_a_deadlock) {
  expect_no_alarm<one_slow_fiber<false>>(repetitions / 2);
}

TEST(false_alarm, a_fiber_that_computes_for_long_while_others_idle_is_not_a_deadlock) {
  expect_no_alarm<one_slow_fiber<true>>(repetitions / 2);
}

/// A token that waits in a pool for a processor that is asleep.
struct leaf : threaded<leaf> {
  step start(reply<void> to) {
    to.send();
    return done;
  }
};
struct bursts : threaded<bursts> {
  int left = 30;
  join all = on<&bursts::rest>();
  slot rested = on<&bursts::next>(1);
  step start(int) { return next(); }
  step next() {
    if (left-- == 0) {
      set_exit_code(7);
      return done;
    }
    for (int i = 0; i < 20; ++i) spawn<leaf>(all.into());
    return await(all);
  }
  step rest() {
    after(1'000'000, ref(rested));
    return wait;
  }
};

TEST(false_alarm, bursts_of_tokens_between_rests_are_not_a_deadlock) {
  expect_no_alarm<bursts>(10);
}

}  // namespace
}  // namespace terrane
