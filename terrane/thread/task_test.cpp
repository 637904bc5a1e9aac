// SPDX-License-Identifier: Apache-2.0
// task_test.cpp: coroutines.
#include "terrane/thread/task.hpp"
#include "terrane/base/sanitizers.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/spawn_anywhere.hpp"
#include "terrane/thread/thread.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace task_test {
namespace {

using namespace std::chrono_literals;

class coroutines : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, coroutines, small_machines(), machine_name);

task<long> fib(int n) {
  if (n <= 1) co_return 1;
  const long left = co_await fib(n - 1);
  co_return left + co_await fib(n - 2);
}
task<void> add(long& sum, int n) { sum += co_await fib(n); }

TEST_P(coroutines, await_one_another) {
  expect([](faults& wrong) {
    long sum = 0;
    auto one = start(fib(12));
    auto two = start(add(sum, 10));
    wrong.unless(one.get() == 233);
    two.get();
    wrong.unless(sum == 89);
  });
}

task<int> next(int n) { co_return n + 1; }
task<int> many(int how_many) {
  int n = 0;
  for (int i = 0; i < how_many; ++i) n = co_await next(n);
  co_return n;
}
task<int> deep(int n) {
  if (n == 0) co_return 0;
  co_return 1 + co_await deep(n - 1);
}

TEST_P(coroutines, need_no_stack_for_long_chains) {
  expect([](faults& wrong) {
    auto one = start(many(100'000)), two = start(deep(20'000));
    wrong.unless(one.get() == 100'000 && two.get() == 20'000);
  });
}

task<std::string> greeting(shared_future<std::string> name, std::unique_ptr<int> how_often) {
  std::string text;
  for (int i = 0; i < *how_often; ++i) {
    co_await pause_for(10us);
    text += co_await name + " ";
  }
  co_await pause();
  co_return text;
}

TEST_P(coroutines, wait_for_promises_and_times) {
  expect([](faults& wrong) {
    promise<std::string> name;
    std::vector<shared_future<std::string>> all;
    for (int i = 0; i < 50; ++i)
      all.push_back(start(greeting(name.get_future(), std::make_unique<int>(2))));
    this_thread::yield();
    auto elsewhere = async([name = std::move(name)]() mutable { name.set_value("Ada"); });
    for (auto& each : all) wrong.unless(each.get() == "Ada Ada ");
    elsewhere.get();
    wrong.unless(start([]() -> task<int> { co_return co_await async([] { return 4; }); }()).get() ==
                 4);
  });
}

long twice(long n) { return 2 * n; }
std::string text_of(long n) {
  if (n == 13) throw std::domain_error("thirteen");
  return std::to_string(n);
}
task<long> through_futures(long n) {
  long sum = 0;
  std::string text;
  std::vector<spawned<task_for<named_function<twice>, long>>> all;
  for (long i = 0; i < n; ++i) all.push_back(spawn<twice>(i));
  for (auto& each : all) {
    sum += co_await std::move(each);
    text += co_await spawn<text_of>(1);
    text += co_await spawn_anywhere<text_of>(2);
  }
  co_await pause_for(20us);
  try {
    co_await spawn<text_of>(13);
  } catch (const std::exception&) { sum += 100'000; }
  co_return sum + static_cast<long>(text.size());
}

TEST_P(coroutines, wait_for_futures_that_others_took) {
  expect([](faults& wrong) {
    std::vector<shared_future<long>> all;
    for (int i = 0; i < 10; ++i) all.push_back(start(through_futures(30)));
    for (auto& each : all) wrong.unless(each.get() == 870 + 100'000 + 60);
  });
}

task<long> through_places(global<long> there) {
  long mine = 0;
  co_await signalled(
      [&](slot_ref done) { terrane_get(there.raw, 8, terrane_to_global(&mine), done.raw); });
  co_return mine + co_await fetched(there);
}

TEST_P(coroutines, wait_for_places) {
  expect([](faults& wrong) {
    long value = 21;
    wrong.unless(start(through_places(global<long>{terrane_to_global(&value)})).get() == 42);
  });
}

task<int> fails(int n) {
  co_await pause();
  if (n == 3) throw std::domain_error("three");
  co_return n;
}
task<int> catches() {
  int sum = 0;
  for (int i = 0; i < 6; ++i) try {
      sum += co_await fails(i);
    } catch (const std::domain_error&) { sum += 1000; }
  co_return sum;
}

TEST_P(coroutines, pass_exceptions_on) {
  expect([](faults& wrong) {
    wrong.unless(start(catches()).get() == 1012);
    auto failed = start(fails(3));
    try {
      failed.get();
      wrong.unless(false);
    } catch (const std::domain_error&) {}
    { auto never_begun = fails(1); }
  });
}

TEST_P(coroutines, wait_in_large_numbers) {
  expect([](faults& wrong) {
    promise<long> one;
    const auto waits = [](shared_future<long> for_it) -> task<long> { co_return co_await for_it; };
    std::vector<shared_future<long>> all;
    for (int i = 0; i < 3000; ++i) all.push_back(start(waits(one.get_future())));
    this_thread::sleep_for(1us);
    one.set_value(2);
    long sum = 0;
    for (auto& each : all) sum += each.get();
    wrong.unless(sum == 6000);
  });
}

#ifndef TERRANE_ASAN  // a thread that never ends keeps what it owns, and this is called a leak

void awaits_nothing(faults&) {
  promise<int> never;
  const auto waits = [](shared_future<int> for_it) -> task<int> { co_return co_await for_it; };
  start(waits(never.get_future())).get();
}
TEST(coroutine_errors, a_deadlock_names_the_coroutine) {
  int count = 0;
  const auto outcome = run_machine<in_a_thread>(machine_of(1), &count, thread_code{awaits_nothing});
  EXPECT_TRUE(outcome.deadlock);
  EXPECT_NE(describe_deadlock(outcome.left).find("coroutine::resume"), std::string::npos)
      << describe_deadlock(outcome.left);
}

#endif

}  // namespace
}  // namespace task_test
}  // namespace terrane
