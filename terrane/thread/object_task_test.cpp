// SPDX-License-Identifier: Apache-2.0
// object_task_test.cpp: futures of objects, which stay in their node.
#include "terrane/thread/object_task.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "terrane/thread/cancel_scope.hpp"
#include "terrane/thread/future.hpp"
#include "terrane/thread/parallel.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace object_futures_test {
namespace {

class object_futures : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, object_futures, small_machines(), machine_name);

std::vector<int> merge_sorted(std::vector<int> all) {
  if (all.size() < 2) return all;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  auto right = spawn<merge_sorted>(std::vector<int>(middle, all.end()));
  const std::vector<int> left = merge_sorted({all.begin(), middle});
  const std::vector<int> other = right.join();
  std::merge(left.begin(), left.end(), other.begin(), other.end(), all.begin());
  return all;
}

TEST_P(object_futures, take_and_return_vectors) {
  expect([](faults& wrong) {
    std::vector<int> numbers(3000);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    const std::vector<int> found = merge_sorted(numbers);
    wrong.unless(found.size() == 3000 && std::is_sorted(found.begin(), found.end()));
  });
}

std::unique_ptr<long> next(std::unique_ptr<long> one, const std::string& text) {
  *one += static_cast<long>(text.size());
  return one;
}
std::string spelt(long n) { return std::to_string(n); }
struct pair_of_ours {  // not declared to be a wire value
  int rows, columns;
};
pair_of_ours turned(pair_of_ours one) { return {one.columns, one.rows}; }

TEST_P(object_futures, take_what_can_only_be_moved_and_ones_own_types) {
  expect([](faults& wrong) {
    auto one = spawn(next, std::make_unique<long>(4), "seven77");
    auto two = spawn<spelt>(2026);
    auto three = spawn(turned, pair_of_ours{1, 2});
    auto four = spawn([kept = std::make_unique<int>(5)] { return *kept; });
    wrong.unless(four.join() == 5 && three.join().rows == 2 && two.join() == "2026");
    wrong.unless(*one.join() == 11);
  });
}

TEST_P(object_futures, are_joined_in_any_order_and_kept_in_containers) {
  expect([](faults& wrong) {
    std::vector<future<std::string>> all;
    for (long i = 0; i < 500; ++i) all.push_back(spawn<spelt>(i));
    for (std::size_t i = 0; i < 500; ++i) {
      const std::size_t which = i * 7 % 500;
      wrong.unless(all[which].join() == std::to_string(which));
    }
  });
}

std::string refuse(const std::string& why) { throw std::out_of_range(why); }

TEST_P(object_futures, pass_exceptions_on) {
  expect([](faults& wrong) {
    int caught = 0;
    std::vector<future<std::string>> all;
    for (int i = 0; i < 50; ++i) all.push_back(spawn<refuse>("no"));
    for (auto& each : all) try {
        each.join();
      } catch (const std::out_of_range&) { ++caught; }  // the exception itself: it is this node
    wrong.unless(caught == 50);
  });
}

/// Counts how many there are. Only one processor at a time may touch one, so plain counts would do
/// in one thread; futures of a node run on several.
struct counted {
  explicit counted(atomic<long>& all) : alive(&all) { alive->fetch_add(1, memory_order_relaxed); }
  counted(const counted& other) : counted(*other.alive) {}
  counted& operator=(const counted&) = default;
  ~counted() { alive->fetch_sub(1, memory_order_relaxed); }
  atomic<long>* alive;
};

TEST_P(object_futures, destroy_all_they_made) {
  expect([](faults& wrong) {
    atomic<long> alive{0};
    {
      std::vector<future<counted>> all;
      for (int i = 0; i < 200; ++i)
        all.push_back(spawn(
            [mine = counted(alive)](counted given, bool fails) {
              if (fails) throw std::runtime_error("fails");
              return given;
            },
            counted(alive), i % 3 == 0));
      for (std::size_t i = 0; i < 100; ++i) try {
          all[i].join();
        } catch (const std::runtime_error&) {}
    }  // the others are dropped
    wrong.unless(alive.load(memory_order_relaxed) == 0);
  });
}

TEST_P(object_futures, belong_to_scopes) {
  expect([](faults& wrong) {
    cancel_scope scope;
    auto one = scope.spawn([text = std::string("te")](std::string more) { return text + more; },
                           std::string("xt"));
    wrong.unless(one.join() == "text");
    scope.cancel();
    auto two = scope.spawn(spelt, 3L);
    try {
      wrong.unless(two.join() == "3");  // begun on a processor that had not heard of it yet
    } catch (const cancelled&) {}
  });
}

TEST_P(object_futures, are_reduced) {
  expect([](faults& wrong) {
    std::string expected;
    for (int i = 0; i < 300; ++i) expected += std::to_string(i);
    const auto digits = [](int i) { return std::to_string(i); };
    wrong.unless(parallel_reduce(0, 300, std::string(), digits, std::plus<>()) == expected);
    const auto sum = parallel_reduce(
        0, 100, std::unique_ptr<int>(), [](int i) { return std::make_unique<int>(i); },
        [](std::unique_ptr<int> one, std::unique_ptr<int> other) {
          *one += *other;
          return one;
        });
    wrong.unless(*sum == 4950);
  });
}

}  // namespace
}  // namespace object_futures_test
}  // namespace terrane
