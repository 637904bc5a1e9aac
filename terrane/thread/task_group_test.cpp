// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/task_group.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/thread.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace task_group_test {
namespace {

class task_groups : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, task_groups, small_machines(), machine_name);

long fib(int n) {
  if (n <= 1) return 1;
  long left = 0;
  task_group group;
  group.run([&left, n] { left = fib(n - 1); });
  const long right = fib(n - 2);
  group.wait();
  return left + right;
}

TEST_P(task_groups, nest) {
  expect([](faults& wrong) { wrong.unless(fib(15) == 987); });
}

TEST_P(task_groups, take_any_number_of_tasks) {
  expect([](faults& wrong) {
    std::vector<int> seen(5000);
    task_group group;
    for (int& each : seen) group.run([&each] { ++each; });
    group.wait();
    wrong.unless(seen == std::vector<int>(5000, 1));
    group.run_and_wait([&] { ++seen[0]; });  // it can be used again
    wrong.unless(seen[0] == 2);
  });
}

void count_tree(int depth, task_group& group, atomic<long>& nodes) {
  nodes.fetch_add(1, memory_order_relaxed);
  if (depth == 0) return;
  for (int i = 0; i < 3; ++i)
    group.run([=, &group, &nodes] {
      if (depth % 3 == 0) this_thread::yield();
      count_tree(depth - 1, group, nodes);
    });
}

TEST_P(task_groups, wait_for_the_tasks_of_tasks) {
  expect([](faults& wrong) {
    for (int i = 0; i < 3; ++i) {
      atomic<long> nodes{0};
      task_group group;
      count_tree(6, group, nodes);
      group.wait();
      wrong.unless(nodes.load(memory_order_relaxed) == 1093);
    }
  });
}

TEST_P(task_groups, take_tasks_from_other_threads) {
  expect([](faults& wrong) {
    atomic<long> sum{0};
    task_group group;
    std::vector<thread> adders;
    for (int i = 0; i < 3; ++i)
      adders.push_back(thread::create([&] {
        for (int k = 0; k < 50; ++k)
          group.run([&, owner = std::make_unique<int>(k)] {
            sum.fetch_add(*owner, memory_order_relaxed);
            group.run([&] { sum.fetch_add(1000, memory_order_relaxed); });
          });
      }));
    for (thread& each : adders) each.join();
    group.wait();
    wrong.unless(sum.load(memory_order_relaxed) == 3 * (1225 + 50'000));
  });
}

TEST_P(task_groups, throw_the_first_exception_and_begin_no_more_tasks) {
  expect([](faults& wrong) {
    task_group group;
    atomic<int> ran{0};
    for (int i = 0; i < 200; ++i)
      group.run([&, i] {
        ran.fetch_add(1, memory_order_relaxed);
        if (i == 100) throw std::domain_error("number " + std::to_string(i));
      });
    try {
      group.wait();
      wrong.unless(false);
    } catch (const std::domain_error& why) {
      wrong.unless(std::string(why.what()) == "number 100");
    }
    // One processor runs them from one end or from the other.
    if (terrane_processors() == 1) wrong.unless(ran.load(memory_order_relaxed) <= 101);
    wrong.unless(!group.cancelled());
    group.run_and_wait([&] { ran.store(0, memory_order_relaxed); });
    wrong.unless(ran.load(memory_order_relaxed) == 0);
  });
}

TEST_P(task_groups, are_cancelled) {
  expect([](faults& wrong) {
    int ran = 0;
    task_group outer;
    outer.cancel();
    outer.run([&] { ++ran; });
    {
      task_group inner(&outer);
      inner.run([&] { ++ran; });
      inner.wait();
      wrong.unless(inner.cancelled());
    }
    outer.wait();
    wrong.unless(ran == 0 && !outer.cancelled());
  });
}

TEST_P(task_groups, are_waited_for_at_the_end_of_their_scope) {
  expect([](faults& wrong) {
    atomic<int> ran{0};
    {
      task_group group;
      for (int i = 0; i < 20; ++i) group.run([&] { ran.fetch_add(1, memory_order_relaxed); });
      group.run([] { throw std::runtime_error("nobody hears of it"); });
    }
    wrong.unless(ran.load(memory_order_relaxed) <= 20);
  });
}

}  // namespace
}  // namespace task_group_test
}  // namespace terrane
