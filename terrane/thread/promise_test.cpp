// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/promise.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/thread.hpp"
#include "tests/support/run_to_failure.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace promise_test {
namespace {

using namespace std::chrono_literals;

class promises : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, promises, small_machines(), machine_name);

TEST_P(promises, are_kept_to_any_number_of_threads) {
  expect([](faults& wrong) {
    promise<std::string> name;
    const shared_future<std::string> later = name.get_future();
    wrong.unless(!later.is_ready() && !later.wait_for(10us));
    atomic<int> got{0};
    std::vector<thread> readers;
    for (int i = 0; i < 5; ++i)
      readers.emplace_back([later, &got, &wrong] {
        wrong.unless(later.get() == "Ada");
        got.fetch_add(1, memory_order_relaxed);
      });
    std::vector<shared_future<void>> elsewhere;
    for (int i = 0; i < 5; ++i)
      elsewhere.push_back(async([later, &got] {
        later.wait();
        got.fetch_add(1, memory_order_relaxed);
      }));
    this_thread::yield();
    name.set_value("Ada");
    for (thread& each : readers) each.join();
    for (auto& each : elsewhere) each.get();
    wrong.unless(got.load(memory_order_relaxed) == 10 && later.is_ready());
  });
}

TEST_P(promises, may_fail_and_may_be_broken) {
  expect([](faults& wrong) {
    promise<int> fails;
    auto later = fails.get_future();
    fails.set_exception(std::make_exception_ptr(std::domain_error("why")));
    for (int i = 0; i < 2; ++i) try {
        later.get();
        wrong.unless(false);
      } catch (const std::domain_error&) {}
    { later = promise<int>().get_future(); }
    try {
      later.get();
      wrong.unless(false);
    } catch (const broken_promise&) {}
    auto thrown = async([](int n) -> int { throw std::out_of_range(std::to_string(n)); }, 7);
    try {
      thrown.get();
      wrong.unless(false);
    } catch (const std::out_of_range& why) { wrong.unless(std::string(why.what()) == "7"); }
  });
}

TEST_P(promises, are_continued) {
  expect([](faults& wrong) {
    auto text = async([](std::unique_ptr<int> n) { return *n + 1; }, std::make_unique<int>(6))
                    .then([](int n) { return std::to_string(n); })
                    .then([](const std::string& seven) { return seven + "!"; });
    wrong.unless(text.get() == "7!");
    int ran = 0;
    auto failed = async([] { throw std::domain_error("first"); }).then([&] { ++ran; });
    try {
      failed.get();
      wrong.unless(false);
    } catch (const std::domain_error&) { wrong.unless(ran == 0); }
    auto owner = async([] { return std::make_unique<int>(3); });
    wrong.unless(*owner.take() == 3);
  });
}

TEST_P(promises, are_waited_for_together) {
  expect([](faults& wrong) {
    std::vector<shared_future<int>> all;
    for (int i = 0; i < 20; ++i) all.push_back(async([i] { return i; }));
    const auto come = when_all(all);
    int sum = 0;
    for (const auto& each : come.get()) {
      wrong.unless(each.is_ready());
      sum += each.get();
    }
    wrong.unless(sum == 190);
    const auto both = when_all(async([] { return 1; }), async([] { return std::string("two"); }));
    wrong.unless(std::get<0>(both.get()).get() == 1 && std::get<1>(both.get()).get() == "two");
    wrong.unless(when_all(std::vector<shared_future<int>>()).get().empty());

    promise<int> never, soon;
    const auto first = when_any(std::vector{never.get_future(), soon.get_future()});
    wrong.unless(!first.is_ready());
    soon.set_value(4);
    wrong.unless(first.get() == 1);
    never.set_value(5);
  });
}

class promise_errors : public run_to_failure {};

void set_twice(faults&) {
  promise<int> one;
  one.set_value(1);
  one.set_value(2);
}

TEST_F(promise_errors, a_value_is_set_once) {
  int count = 0;
  expect_failure<in_a_thread>(machine_of(1), "R-290: the value of a promise was set twice", &count,
                              thread_code{set_twice});
}

}  // namespace
}  // namespace promise_test
}  // namespace terrane
