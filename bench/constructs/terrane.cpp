// SPDX-License-Identifier: Apache-2.0
// terrane.cpp: what loops, algorithms, groups, pipelines, graphs and coroutines cost.
#include <functional>
#include <optional>

#include "bench/constructs/rows.hpp"
#include "terrane/algorithms.hpp"
#include "terrane/coroutines.hpp"
#include "terrane/thread/pipeline.hpp"
#include "terrane/thread/task_graph.hpp"
#include "terrane/thread/task_group.hpp"
#include "terrane/threads.hpp"

using namespace terrane;
using namespace bench;

namespace {

void loops() {
  std::vector<double> x(elements, 1), y(elements, 2);
  row("parallel_for", elements,
      [&] { parallel_for(0L, elements, [&](long i) { y[i] += 0.5 * x[i]; }); });
  row("parallel_for of 1,000", 1000, [&] {
    for (int i = 0; i < 1000; ++i) parallel_for(0L, 1000L, [&](long j) { y[j] += 0.5 * x[j]; });
  });
  double sum = 0;
  row("parallel_reduce", elements, [&] {
    sum = parallel_reduce(0L, elements, 0.0, [&](long i) { return x[i]; }, std::plus<>());
  });
  fail_if(sum != elements, "parallel_reduce");
}

void algorithms() {
  std::vector<std::uint64_t> from = numbers(elements), to(from.size());
  row("inclusive_scan", elements,
      [&] { terrane::inclusive_scan(from.begin(), from.end(), to.begin()); });
  fail_if(to.back() != std::accumulate(from.begin(), from.end(), std::uint64_t{0}), "scan");
  const std::vector<std::uint64_t> given = numbers(sorted);
  std::vector<std::uint64_t> all;
  row("sort", sorted, [&] { all = given; }, [&] { terrane::sort(all.begin(), all.end()); });
  fail_if(!std::is_sorted(all.begin(), all.end()), "sort");
}

void groups() {
  row("task_group", empty_tasks, [] {
    task_group group;
    for (long i = 0; i < empty_tasks; ++i) group.run([] {});
    group.wait();
  });
  std::uint64_t sum = 0;
  row("pipeline", items, [&] {
    std::uint64_t next = 0;
    sum = 0;
    pipeline(8, serial_in_order([&]() -> std::optional<std::uint64_t> {
               if (next == items) return std::nullopt;
               return next++;
             }),
             parallel([](std::uint64_t x) { return item_work(x) % 2 + x; }),
             serial_in_order([&](std::uint64_t x) { sum += x; }));
  });
  fail_if(sum < items * (items - 1) / 2, "pipeline");
  std::vector<long> paths(side * side);
  std::vector<task_graph::node> cells;
  task_graph graph;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      cells.push_back(graph.add([&paths, i, j] {
        paths[side * i + j] =
            i == 0 || j == 0 ? 1
                             : (paths[side * (i - 1) + j] + paths[side * i + j - 1]) % 1'000'003;
      }));
      if (i > 0) graph.precede(cells[side * (i - 1) + j], cells.back());
      if (j > 0) graph.precede(cells[side * i + j - 1], cells.back());
    }
  row("graph, a node", side * side, [&] { graph.run(); });
  fail_if(paths[2 * side - 1] != side, "graph");
}

task<void> await_ready(const shared_future<long>& ready, long times, long& sum) {
  for (long i = 0; i < times; ++i) sum += co_await ready;
}
task<void> await_pauses(long times) {
  for (long i = 0; i < times; ++i) co_await terrane::pause();
}
task<long> seven() { co_return 7; }
task<void> await_tasks(long times, long& sum) {
  for (long i = 0; i < times; ++i) sum += co_await seven();
}

task<void> await_each(const std::vector<shared_future<long>>& later, long& sum) {
  for (const shared_future<long>& each : later) sum += co_await each;
}
/// Lets who waits for a value run after each.
task<void> set_each(std::vector<promise<long>>& given) {
  for (promise<long>& each : given) {
    each.set_value(1);
    co_await terrane::pause();
  }
}

void coroutines() {
  constexpr long times = 100'000;
  promise<long> given;
  given.set_value(1);
  const shared_future<long> ready = given.get_future();
  long sum = 0;
  row("co_await of a ready future", times, [&] { start(await_ready(ready, times, sum)).get(); });
  fail_if(sum != row_rounds * times, "co_await");
  constexpr std::size_t many = 10'000;
  std::vector<promise<long>> promises;
  std::vector<shared_future<long>> later;
  sum = 0;
  row(
      "co_await of one that is not", many,
      [&] {
        promises = std::vector<promise<long>>(many);
        later.clear();
        for (const promise<long>& each : promises) later.push_back(each.get_future());
      },
      [&] {
        const shared_future<void> waits = start(await_each(later, sum));
        start(set_each(promises)).get();
        waits.get();
      });
  fail_if(sum != row_rounds * static_cast<long>(many), "co_await of one that is not ready");
  row("co_await of other ready work", times, [&] { start(await_pauses(times)).get(); });
  row("co_await of a task", times, [&] { start(await_tasks(times, sum)).get(); });
}

int rows(int, char**) {
  loops();
  algorithms();
  groups();
  coroutines();
  return 0;
}

}  // namespace

int main(int argc, char** argv) { return run<thread_main<rows>>(argc, argv); }
