// SPDX-License-Identifier: Apache-2.0
#include "terrane/runtime.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "terrane/thread/future.hpp"
#include "terrane/thread/parallel.hpp"
#include "terrane/thread/thread.hpp"

namespace terrane {
namespace runtime_test {
namespace {

long fib(int n) {
  if (n <= 1) return 1;
  auto left = spawn<fib>(n - 1);
  const long right = fib(n - 2);
  return left.join() + right;
}

TEST(runtime, takes_work_from_any_thread_of_the_process) {
  runtime here(2);
  EXPECT_EQ(here.processors(), 2);
  std::vector<std::thread> others;
  std::atomic<long> sum{0};
  for (int i = 0; i < 4; ++i)
    others.emplace_back([&] {
      for (int k = 0; k < 20; ++k) sum += here.submit(fib, 10).get();
    });
  for (std::thread& each : others) each.join();
  EXPECT_EQ(sum.load(), 80 * 89);
  EXPECT_EQ(here.submit([](std::string text) { return text + "!"; }, "hello").get(), "hello!");
}

TEST(runtime, exists_several_times_in_turn_and_waits_in_its_destructor) {
  std::atomic<int> ran{0};
  for (int i = 0; i < 5; ++i) {
    runtime here(1 + i % 2);
    for (int k = 0; k < 10; ++k)
      here.post([&] {
        this_thread::sleep_for(1000);
        ran.fetch_add(1);
      });
  }
  EXPECT_EQ(ran.load(), 50);
}

TEST(runtime, passes_exceptions_on_and_exists_once_at_a_time) {
  runtime here(1);
  auto failed = here.submit([]() -> int { throw std::domain_error("why"); });
  EXPECT_THROW(failed.get(), std::domain_error);
  EXPECT_THROW(runtime(1), std::logic_error);
  std::vector<long> all(1000);
  here.submit([&] { parallel_for(0, 1000, [&](int i) { all[static_cast<std::size_t>(i)] = i; }); })
      .get();
  EXPECT_EQ(all[999], 999);
}

TEST(runtime, may_be_asked_from_within) {
  runtime here(2);
  std::promise<int> found;
  here.post([&] { here.post([&] { found.set_value(7); }); });
  EXPECT_EQ(found.get_future().get(), 7);
}

}  // namespace
}  // namespace runtime_test
}  // namespace terrane
