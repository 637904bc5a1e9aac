// SPDX-License-Identifier: Apache-2.0
// task_graph.hpp: tasks with dependences among them, built once and run many times.
//
//   task_graph build;
//   const auto parse = build.add([&] { ... });
//   const auto check = build.add([&] { ... }, {parse});     // begins when `parse` has ended
//   build.precede(parse, build.add([&] { ... }));
//   build.run();                                            // returns when all tasks have ended
//
// Invariants  A task begins when all that precede it have ended, once in each run. What they wrote
//             is visible to it. A graph is built and run by one thread at a time.
// Errors      A circle of dependences is a std::logic_error at run(). An exception that leaves a
//             task ends the run: tasks that have not begun do not begin, and run() throws it.
// Cost        A task: one atomic decrement for each dependence. Of the tasks that become ready with
//             the end of another, one is continued directly, the others are futures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <utility>
#include <vector>

#include "terrane/base/atomic.hpp"
#include "terrane/thread/task_group.hpp"

namespace terrane {

class task_graph {
 public:
  /// The name of a task in its graph.
  enum class node : std::uint32_t {};

  task_graph() = default;
  task_graph(const task_graph&) = delete;
  task_graph& operator=(const task_graph&) = delete;

  template <class F>
  node add(F&& task, std::initializer_list<node> after = {}) {
    const auto made = static_cast<node>(tasks_.size());
    tasks_.emplace_back(std::forward<F>(task));
    sealed_ = false;
    for (const node each : after) precede(each, made);
    return made;
  }
  /// `second` begins when `first` has ended.
  void precede(node first, node second) {
    edges_.push_back({index(first), index(second)});
    sealed_ = false;
  }
  std::size_t size() const { return tasks_.size(); }
  /// Runs all tasks, in a thread; returns when the last has ended.
  void run();

 private:
  struct edge {
    std::uint32_t from, to;
  };
  static std::uint32_t index(node which) { return static_cast<std::uint32_t>(which); }
  /// Sorts the edges by their first task, and looks for circles.
  void seal();
  /// Runs a task, and then one of those that it made ready, until it makes none ready.
  void run_from(std::uint32_t task, task_group& group);

  std::vector<std::function<void()>> tasks_;
  std::vector<edge> edges_;
  bool sealed_ = true;
  std::vector<std::uint32_t> first_edge_, followers_;  // followers of i: from first_edge_[i] on
  std::vector<std::uint32_t> before_;                  // how many precede a task
  // How many of those have not ended in this run. Whoever runs one of them decrements it with
  // release, and reads with acquire what the others wrote; the last one runs the task.
  std::vector<atomic<std::uint32_t>> left_;
};

}  // namespace terrane
