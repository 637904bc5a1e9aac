// SPDX-License-Identifier: Apache-2.0
// onetbb.cpp: the rows of terrane.cpp that oneTBB has. onetbb WORKERS
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_scan.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <functional>
#include <memory>

#include "bench/constructs/rows.hpp"
#include "bench/spread.h"

using namespace bench;

namespace {

using range = tbb::blocked_range<long>;

void loops() {
  std::vector<double> x(elements, 1), y(elements, 2);
  row("parallel_for", elements,
      [&] { tbb::parallel_for(0L, elements, [&](long i) { y[i] += 0.5 * x[i]; }); });
  row("parallel_for of 1,000", 1000, [&] {
    for (int i = 0; i < 1000; ++i)
      tbb::parallel_for(0L, 1000L, [&](long j) { y[j] += 0.5 * x[j]; });
  });
  double sum = 0;
  row("parallel_reduce", elements, [&] {
    sum = tbb::parallel_reduce(
        range(0, elements), 0.0,
        [&](const range& part, double value) {
          for (long i = part.begin(); i != part.end(); ++i) value += x[i];
          return value;
        },
        std::plus<>());
  });
  fail_if(sum != elements, "parallel_reduce");
}

void algorithms() {
  std::vector<std::uint64_t> from = numbers(elements), to(from.size());
  row("inclusive_scan", elements, [&] {
    tbb::parallel_scan(
        range(0, elements), std::uint64_t{0},
        [&](const range& part, std::uint64_t sum, bool is_final) {
          for (long i = part.begin(); i != part.end(); ++i) {
            sum += from[i];
            if (is_final) to[i] = sum;
          }
          return sum;
        },
        std::plus<>());
  });
  fail_if(to.back() != std::accumulate(from.begin(), from.end(), std::uint64_t{0}), "scan");
  const std::vector<std::uint64_t> given = numbers(sorted);
  std::vector<std::uint64_t> all;
  row("sort", sorted, [&] { all = given; }, [&] { tbb::parallel_sort(all.begin(), all.end()); });
  fail_if(!std::is_sorted(all.begin(), all.end()), "sort");
}

void groups() {
  row("task_group", empty_tasks, [] {
    tbb::task_group group;
    for (long i = 0; i < empty_tasks; ++i) group.run([] {});
    group.wait();
  });
  std::uint64_t sum = 0;
  row("pipeline", items, [&] {
    std::uint64_t next = 0;
    sum = 0;
    tbb::parallel_pipeline(
        8,
        tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order,
                                              [&](tbb::flow_control& control) {
                                                if (next == items) control.stop();
                                                return next++;
                                              }) &
            tbb::make_filter<std::uint64_t, std::uint64_t>(
                tbb::filter_mode::parallel, [](std::uint64_t x) { return item_work(x) % 2 + x; }) &
            tbb::make_filter<std::uint64_t, void>(tbb::filter_mode::serial_in_order,
                                                  [&](std::uint64_t x) { sum += x; }));
  });
  fail_if(sum < items * (items - 1) / 2, "pipeline");
  using node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  std::vector<long> paths(side * side);
  std::vector<std::unique_ptr<node>> cells;
  tbb::flow::graph graph;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      cells.push_back(std::make_unique<node>(graph, [&paths, i, j](tbb::flow::continue_msg) {
        paths[side * i + j] =
            i == 0 || j == 0 ? 1
                             : (paths[side * (i - 1) + j] + paths[side * i + j - 1]) % 1'000'003;
      }));
      if (i > 0) tbb::flow::make_edge(*cells[side * (i - 1) + j], *cells.back());
      if (j > 0) tbb::flow::make_edge(*cells[side * i + j - 1], *cells.back());
    }
  row("graph, a node", side * side, [&] {
    cells[0]->try_put({});
    graph.wait_for_all();
  });
  fail_if(paths[2 * side - 1] != side, "graph");
}

}  // namespace

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::atoi(argv[1]) : 1;
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(workers));
  tbb::task_arena arena(workers);
  arena.execute([] { tbb::parallel_for(0L, 10'000L, [](long) {}); });
  bench_spread();
  arena.execute([] {
    loops();
    algorithms();
    groups();
  });
}
