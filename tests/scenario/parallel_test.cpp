// SPDX-License-Identifier: Apache-2.0
// parallel_test.cpp: loops, reductions, groups of calls and scopes that are cancelled.
#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/cancel_scope.hpp"
#include "terrane/thread/parallel.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace {

class parallel : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, parallel, small_machines(), machine_name);

TEST_P(parallel, a_loop_reaches_each_element_once) {
  expect([](faults& wrong) {
    for (const long size : {0L, 1L, 2L, 1000L, 3000L}) {
      std::vector<std::atomic<int>> seen(static_cast<std::size_t>(size));
      parallel_for(0L, size, [&](long i) { ++seen[static_cast<std::size_t>(i)]; });
      parallel_for(0L, size, [&](long i) { ++seen[static_cast<std::size_t>(i)]; }, 100);
      for (const auto& each : seen) wrong.unless(each == 2);
    }
  });
}

TEST_P(parallel, an_automatic_grain_makes_64_to_1024_pieces_of_a_long_range) {
  EXPECT_EQ(grain_of_range(0, 1, 0), 1u);
  EXPECT_EQ(grain_of_range(0, 64, 0), 1u);
  EXPECT_EQ(grain_of_range(0, 65, 0), 2u);
  EXPECT_EQ(grain_of_range(0, 1024, 0), 16u);
  EXPECT_EQ(grain_of_range(0, 2048, 0), 32u);
  EXPECT_EQ(grain_of_range(0, 1024 * 32, 0), 32u);
  EXPECT_EQ(grain_of_range(0, 1024 * 32 + 1, 0), 33u);
  EXPECT_EQ(grain_of_range(0L, 1L << 40, 0L), 1uL << 30);
}

TEST_P(parallel, a_reduction_keeps_the_order_of_its_range) {
  expect([](faults& wrong) {
    const auto squares = [](long i) { return i * i; };  // no captures: any node may take a part
    wrong.unless(parallel_reduce(1L, 101L, 0L, squares, std::plus<long>()) == 338350);
    wrong.unless(parallel_reduce(5, 5, 42L, squares, std::plus<long>()) == 42);
    // Not commutative: the last of the range that is not 0.
    const auto last = [](long one, long other) { return other != 0 ? other : one; };
    const auto odd = [](long i) { return i % 2 == 1 ? i : 0; };
    wrong.unless(parallel_reduce(0L, 1000L, 0L, odd, last, 3) == 999);
  });
}

TEST_P(parallel, calls_of_a_group_have_all_ended_when_invoke_returns) {
  expect([](faults& wrong) {
    int a = 0, b = 0, c = 0;
    invoke([&] { a = 1; }, [&] { b = 2; }, [&] { c = 3; });
    wrong.unless(a == 1 && b == 2 && c == 3);
  });
}

TEST_P(parallel, an_exception_in_a_loop_reaches_its_caller) {
  expect([](faults& wrong) {
    for (const int fails_at : {0, 77, 199}) {
      std::string heard;
      try {
        parallel_for(0, 200, [&](int i) {
          if (i == fails_at) throw std::runtime_error("at " + std::to_string(i));
        });
      } catch (const std::runtime_error& what) { heard = what.what(); }
      wrong.unless(heard == "at " + std::to_string(fails_at));
    }
  });
}

long answer_of(int n) { return n; }

TEST_P(parallel, what_has_not_begun_when_its_scope_is_cancelled_begins_no_more) {
  expect([](faults& wrong) {
    cancel_scope scope;
    std::vector<future<long>> all;
    for (int i = 0; i < 40; ++i) all.push_back(scope.spawn(answer_of, i));
    wrong.unless(!scope.cancelled());
    scope.cancel();
    wrong.unless(scope.cancelled());
    long i = 0;
    for (auto& each : all) {
      try {
        wrong.unless(each.join() == i);  // somebody had begun it
      } catch (const std::exception& what) {
        wrong.unless(std::string(what.what()) == "cancelled");
      }
      ++i;
    }
    auto late = scope.spawn(answer_of, 1);
    bool refused = false;
    try {
      late.join();
    } catch (const std::exception&) { refused = true; }
    wrong.unless(refused || processors() > 1);  // elsewhere the news may come later
  });
}

long search(scope_ref all, int depth) {
  if (all.cancelled()) return 0;
  if (depth == 0) throw std::runtime_error("found");
  auto one = all.spawn(search, all, depth - 1);
  auto two = all.spawn(search, all, depth - 1);
  return one.join() + two.join();
}

TEST_P(parallel, an_exception_cancels_the_scope_it_leaves) {
  expect([](faults& wrong) {
    cancel_scope scope;
    std::string heard;
    try {
      scope.spawn(search, scope.ref(), 6).join();
    } catch (const std::exception& what) { heard = what.what(); }
    wrong.unless(heard == "found" || heard == "cancelled");
    wrong.unless(scope.cancelled());
  });
}

}  // namespace
}  // namespace terrane
