// SPDX-License-Identifier: Apache-2.0
// futures_test.cpp: spawn and join on every machine: order, number, size, exceptions, counts.
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "terrane/thread/future.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace {

struct wide {
  long numbers[20];
};

}  // namespace

template <>
inline constexpr bool terrane::position_independent<wide> = true;

namespace terrane {
namespace {

class futures : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, futures, small_machines(), machine_name);

long fib(int n) {
  if (n <= 1) return 1;
  auto x = spawn<fib>(n - 1);
  const long y = fib(n - 2);
  return x.join() + y;
}

TEST_P(futures, a_tree_of_calls_returns_its_sum) {
  expect([](faults& wrong) { wrong.unless(fib(16) == 1597); });
}

TEST_P(futures, each_spawn_is_one_token_and_one_fiber_on_every_machine) {
  int count = -1;
  const auto outcome = run_machine<in_a_thread>(
      machine(3), &count, thread_code{[](faults& wrong) { wrong.unless(fib(14) == 610); }});
  EXPECT_EQ(count, 0);
  EXPECT_EQ(outcome.statistics.tokens_generated, 609u);
}

long twice(long n) { return 2 * n; }

struct scale {
  static long times(const long& n, short by) noexcept { return n * by; }
};
long half(long n) { return n / 2; }
void refuse(int) { throw std::out_of_range("refused"); }

TEST_P(futures, take_a_function_that_is_named_or_one_chosen_at_run_time) {
  expect([](faults& wrong) {
    auto named = spawn<scale::times>(21, 2);
    auto failing = spawn<refuse>(1);
    std::vector<future<long>> chosen;
    for (long (*f)(long) : {twice, half}) chosen.push_back(spawn(f, 8L));
    chosen.push_back(spawn<half>(6));
    wrong.unless(chosen[2].join() == 3 && chosen[1].join() == 4 && chosen[0].join() == 16);
    try {
      failing.join();
      wrong.unless(false);
    } catch (const std::exception& why) {
      wrong.unless(std::string(why.what()).find("refused") != std::string::npos);
    }
    wrong.unless(named.join() == 42);
  });
}

TEST_P(futures, are_joined_in_any_order) {
  expect([](faults& wrong) {
    constexpr long many = 200;
    for (const long step : {1, 7, 199}) {  // forwards, to and fro, backwards
      std::vector<future<long>> all;
      for (long i = 0; i < many; ++i) all.push_back(spawn(twice, i));
      for (long i = 0; i < many; ++i) {
        const long which = i * step % many;
        const auto place = static_cast<std::size_t>(which);
        wrong.unless(all[place].joinable() && all[place].join() == 2 * which);
        wrong.unless(!all[place].joinable());
      }
    }
  });
}

TEST_P(futures, that_are_joined_oldest_first_leave_no_places_behind) {
  expect([](faults& wrong) {
    std::vector<future<long>> all;
    for (long i = 0; i < 10; ++i) all.push_back(spawn(twice, i));
    long sum = 0;
    for (auto& each : all) sum += each.join();
    wrong.unless(sum == 90);
  });
}

TEST_P(futures, may_be_outstanding_in_any_number) {
  expect([](faults& wrong) {
    std::vector<future<long>> all;
    for (long i = 0; i < 5000; ++i) all.push_back(spawn(twice, i));
    long sum = 0;
    for (auto& each : all) sum += each.join();
    wrong.unless(sum == 5000L * 4999);
  });
}

TEST_P(futures, are_moved_and_kept_in_other_objects) {
  expect([](faults& wrong) {
    auto first = spawn(twice, 4);
    auto second = std::move(first);
    future<long> third = std::move(second);
    future<long> fourth;
    fourth = std::move(third);
    wrong.unless(!first.joinable() && !second.joinable() && !third.joinable());
    wrong.unless(fourth.join() == 8);
  });
}

wide squares(wide of, int count) {
  for (int i = 0; i < count; ++i) of.numbers[i] *= of.numbers[i];
  return of;
}
long sum_of(const wide& of) { return std::accumulate(of.numbers, of.numbers + 20, 0L); }

TEST_P(futures, arguments_and_results_may_be_larger_than_a_token) {
  expect([](faults& wrong) {
    wide numbers{};
    std::iota(numbers.numbers, numbers.numbers + 20, 1);
    auto early = spawn(squares, numbers, 10);
    auto sum = spawn(sum_of, numbers);
    const wide found = spawn(squares, numbers, 20).join();
    wrong.unless(found.numbers[19] == 400 && sum.join() == 210);
    wrong.unless(early.join().numbers[19] == 20);
  });
}

TEST_P(futures, closures_without_captures_cross_nodes_and_others_stay) {
  expect([](faults& wrong) {
    int seen[64] = {};
    {
      std::vector<future<void>> all;
      for (int i = 0; i < 64; ++i) all.push_back(spawn([&seen, i] { seen[i] = i; }));
      for (auto& each : all) each.join();
    }
    for (int i = 0; i < 64; ++i) wrong.unless(seen[i] == i);
    wrong.unless(spawn([](int a, double b) { return a + b; }, 1, 0.5).join() == 1.5);
  });
}

TEST_P(futures, that_are_dropped_are_joined_at_the_end_of_their_scope) {
  expect([](faults& wrong) {
    bool one_ran = false, two_ran = false;
    {
      auto one = spawn([&one_ran] { one_ran = true; });
      auto two = spawn([&two_ran]() -> long {
        two_ran = true;
        throw std::runtime_error("nobody hears");
      });
      wrong.unless(one.joinable() && two.joinable());
    }
    wrong.unless(one_ran && two_ran);
  });
}

long depth_of_failure(int depth, int fails_at) {
  if (depth == fails_at) throw std::out_of_range("at " + std::to_string(depth));
  if (depth == 0) return 1;
  auto left = spawn(depth_of_failure, depth - 1, fails_at);
  auto right = spawn(depth_of_failure, depth - 1, -1);
  return left.join() + right.join();
}

TEST_P(futures, an_exception_reaches_whoever_joins_from_any_depth_and_node) {
  expect([](faults& wrong) {
    wrong.unless(depth_of_failure(7, -1) == 128);
    for (int fails_at = 0; fails_at <= 7; ++fails_at) {
      std::string heard;
      try {
        depth_of_failure(7, fails_at);
      } catch (const std::exception& what) { heard = what.what(); }
      wrong.unless(heard == "at " + std::to_string(fails_at));
    }
  });
}

TEST_P(futures, within_a_node_the_exception_itself_arrives) {
  expect([](faults& wrong) {
    bool right_type = false;
    auto fails = spawn([&right_type] {
      right_type = false;
      throw std::out_of_range("mine");
    });
    fib(8);  // somebody may take it
    try {
      fails.join();
    } catch (const std::out_of_range& what) { right_type = what.what() == std::string("mine"); }
    wrong.unless(right_type);
  });
}

TEST_P(futures, are_joined_while_an_exception_is_handled) {
  expect([](faults& wrong) {
    try {
      throw std::runtime_error("outer");
    } catch (const std::exception& outer) {
      wrong.unless(fib(12) == 233);
      wrong.unless(std::string(outer.what()) == "outer");
    }
  });
}

long after_a_while(long value) {
  this_thread::sleep_for(100'000);
  return value;
}

TEST_P(futures, that_block_leave_the_processor_to_others) {
  expect([](faults& wrong) {
    std::vector<future<long>> all;
    for (long i = 0; i < 20; ++i) all.push_back(spawn(after_a_while, i));
    long sum = 0;
    for (auto& each : all) sum += each.join();
    wrong.unless(sum == 190);
  });
}

/// As deep as the tree T3 of the benchmark UTS, with an array of futures in each call.
long leaves_below(int depth) {
  if (depth == 0) return 1;
  std::vector<future<long>> children;
  for (int i = 0; i < 8; ++i) children.push_back(spawn<leaves_below>(i == 3 ? depth - 1 : 0));
  long sum = 0;
  for (auto& each : children) sum += each.join();
  return sum;
}
TEST_P(futures, have_room_for_deep_recursion_wherever_they_run) {
  expect([](faults& wrong) {
    constexpr int depth = 1600;
    thread::create({.name = "deep", .stack_bytes = 8 << 20}, [&] {
      for (int i = 0; i < 3; ++i) {
        auto one = spawn<leaves_below>(depth);
        this_thread::sleep_for(500'000);  // another processor may take it meanwhile
        wrong.unless(one.join() == 7 * depth + 1);
      }
    }).join();
  });
}

long number_and_priority(int) { return 8 * here().number + this_thread::priority(); }
TEST_P(futures, have_their_priority_where_they_are_taken) {
  expect([](faults& wrong) {
    bool was_taken = terrane::here().processors_per_node() == 1;
    for (int i = 0; i < 2000 && !was_taken; ++i) {
      auto named = spawn<number_and_priority, future_options{.priority = 2}>(0);
      auto closed = spawn<future_options{.priority = 1}>([] { return number_and_priority(0); });
      this_thread::sleep_for(1'000'000);  // this processor may take them, too
      const long one = closed.join(), other = named.join();
      for (const auto& [found, priority] : {std::pair(one, 1L), std::pair(other, 2L)}) {
        const bool here_again = found / 8 == here().number;
        wrong.unless(here_again || found % 8 == priority);
        wrong.unless(found % 8 == priority || found % 8 == TERRANE_PRIORITY_DEFAULT);
        was_taken = was_taken || found % 8 == priority;
      }
    }
    wrong.unless(was_taken);
  });
}

TEST_P(futures, of_several_threads_share_one_stack_of_tokens) {
  expect([](faults& wrong) {
    std::vector<thread> all;
    for (int n = 8; n < 14; ++n)
      all.push_back(thread::create([&wrong, n] {
        auto one = spawn(fib, n);
        this_thread::yield();
        auto two = spawn(fib, n - 1);
        this_thread::yield();
        const long sum = one.join() + two.join();
        wrong.unless(sum == fib(n + 1));
      }));
    for (thread& each : all) each.join();
  });
}

}  // namespace
}  // namespace terrane
