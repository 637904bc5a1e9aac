// SPDX-License-Identifier: Apache-2.0
// spanning_tree.cpp: tasks that make tasks: who reaches a node first is its parent.
// prints: 1000 nodes in one tree

#include <atomic>
#include <cstdio>
#include <vector>

#include "terrane/thread/task_group.hpp"
#include "terrane/threads.hpp"

using namespace terrane;

struct graph {
  std::vector<std::vector<int>> neighbours;
  std::vector<std::atomic<int>> parent;
};

void grow(graph& on, int from, task_group& group) {
  for (const int to : on.neighbours[static_cast<std::size_t>(from)]) {
    int nobody = -1;
    if (on.parent[static_cast<std::size_t>(to)].compare_exchange_strong(nobody, from))
      group.run([&on, to, &group] { grow(on, to, group); });
  }
}

int example(int, char**) {
  constexpr int many = 1000;
  graph whole{std::vector<std::vector<int>>(many), std::vector<std::atomic<int>>(many)};
  for (int i = 0; i < many; ++i) {
    whole.parent[static_cast<std::size_t>(i)] = -1;
    for (const int j : {(i + 1) % many, i * 7 % many, i * i % many})
      whole.neighbours[static_cast<std::size_t>(i)].push_back(j);
  }
  whole.parent[0] = 0;  // the root
  task_group group;
  grow(whole, 0, group);
  group.wait();
  int reached = 0;
  for (const auto& each : whole.parent) reached += each != -1;
  std::printf("%d nodes in one tree\n", reached);
  return 0;
}

int main(int argc, char** argv) { return terrane::run<thread_main<example>>(argc, argv); }
