// SPDX-License-Identifier: Apache-2.0
// pipeline_test.cpp: pipelines and graphs of tasks.
#include "terrane/thread/pipeline.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "terrane/thread/task_graph.hpp"
#include "terrane/thread/thread.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {
namespace pipeline_test {
namespace {

class pipelines : public with_threads {};
INSTANTIATE_TEST_SUITE_P(everywhere, pipelines, small_machines(), machine_name);

TEST_P(pipelines, keep_the_order) {
  expect([](faults& wrong) {
    for (const std::size_t under_way : {1, 2, 7, 100}) {
      int made = 0;
      std::string found, expected;
      for (int i = 0; i < 300; ++i) expected += std::to_string(2 * i) + " ";
      pipeline(under_way, serial_in_order([&] {
                 return made < 300 ? std::optional<int>(made++) : std::nullopt;
               }),
               parallel([](int n) {
                 if (n % 3 == 0) this_thread::yield();
                 return std::make_unique<int>(2 * n);
               }),
               serial_in_order([&](std::unique_ptr<int> n) { found += std::to_string(*n) + " "; }));
      wrong.unless(found == expected);
    }
  });
}

TEST_P(pipelines, bound_what_is_under_way) {
  expect([](faults& wrong) {
    atomic<int> under_way{0}, most{0};
    int made = 0;
    long sum = 0;
    pipeline(3, serial([&]() -> std::optional<int> {
               if (made == 200) return std::nullopt;
               const int now = under_way.fetch_add(1, memory_order_relaxed) + 1;
               if (now > most.load(memory_order_relaxed)) most.store(now, memory_order_relaxed);
               return ++made;
             }),
             parallel([](int n) {
               this_thread::yield();
               return n;
             }),
             serial([&](int n) {
               this_thread::yield();
               sum += n;
               under_way.fetch_sub(1, memory_order_relaxed);
             }));
    wrong.unless(sum == 20'100 && most.load(memory_order_relaxed) <= 3);
  });
}

TEST_P(pipelines, end_with_an_exception) {
  expect([](faults& wrong) {
    int made = 0;
    try {
      pipeline(4, serial([&]() -> std::optional<int> { return ++made; }),  // no end
               parallel([](int n) {
                 if (n == 50) throw std::domain_error("fifty");
                 return n;
               }),
               serial_in_order([](int) {}));
      wrong.unless(false);
    } catch (const std::domain_error&) {}
    pipeline(4, serial([]() -> std::optional<int> { return std::nullopt; }), parallel([](int) {}));
  });
}

TEST_P(pipelines, graphs_run_in_order_and_many_times) {
  expect([](faults& wrong) {
    constexpr int side = 30;
    std::vector<long> paths(side * side);
    task_graph graph;
    std::vector<task_graph::node> nodes;
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        nodes.push_back(graph.add([&paths, i, j] {
          const auto at = [&](int row, int column) -> long& {
            return paths[static_cast<std::size_t>(side * row + column)];
          };
          const long above = i > 0 ? at(i - 1, j) : 0, left = j > 0 ? at(i, j - 1) : 0;
          at(i, j) = i == 0 && j == 0 ? at(0, 0) + 1 : (above + left) % 1'000'003;
        }));
        if (i > 0) graph.precede(nodes[static_cast<std::size_t>(side * (i - 1) + j)], nodes.back());
        if (j > 0) graph.precede(nodes[nodes.size() - 2], nodes.back());
      }
    wrong.unless(graph.size() == side * side);
    graph.run();
    const long once = paths.back();
    for (long i = 2; i <= 4; ++i) {
      graph.run();
      wrong.unless(paths[0] == i && paths.back() == once * i % 1'000'003);
    }
  });
}

TEST_P(pipelines, graphs_refuse_circles_and_pass_exceptions_on) {
  expect([](faults& wrong) {
    task_graph graph;
    int ran = 0;
    const auto first = graph.add([&] { ++ran; });
    const auto second = graph.add([] { throw std::domain_error("second"); }, {first});
    const auto third = graph.add([&] { ran += 100; }, {second});
    try {
      graph.run();
      wrong.unless(false);
    } catch (const std::domain_error&) {}
    wrong.unless(ran == 1);
    graph.precede(third, first);
    try {
      graph.run();
      wrong.unless(false);
    } catch (const std::logic_error& why) {
      wrong.unless(std::string(why.what()).find("circle") != std::string::npos && ran == 1);
    }
    task_graph().run();
  });
}

}  // namespace
}  // namespace pipeline_test
}  // namespace terrane
