// SPDX-License-Identifier: Apache-2.0
#include "terrane/thread/task_graph.hpp"

#include <stdexcept>

namespace terrane {

void task_graph::seal() {
  const std::size_t many = tasks_.size();
  first_edge_.assign(many + 1, 0);
  before_.assign(many, 0);
  followers_.resize(edges_.size());
  for (const edge& each : edges_) {
    if (each.from >= many || each.to >= many)
      throw std::logic_error(
          "a task_graph has no such task: pass a node that add() of the same "
          "graph returned");
    ++first_edge_[each.from + 1];
    ++before_[each.to];
  }
  for (std::size_t i = 0; i < many; ++i) first_edge_[i + 1] += first_edge_[i];
  std::vector<std::uint32_t> next(first_edge_.begin(), first_edge_.end() - 1);
  for (const edge& each : edges_) followers_[next[each.from]++] = each.to;

  std::vector<std::uint32_t> waits_for = before_, ready;
  for (std::uint32_t i = 0; i < many; ++i)
    if (before_[i] == 0) ready.push_back(i);
  std::size_t seen = 0;
  while (!ready.empty()) {
    const std::uint32_t task = ready.back();
    ready.pop_back();
    ++seen;
    for (std::uint32_t i = first_edge_[task]; i != first_edge_[task + 1]; ++i)
      if (--waits_for[followers_[i]] == 0) ready.push_back(followers_[i]);
  }
  if (seen != many)
    throw std::logic_error(
        "the tasks of a task_graph wait for one another in a circle: remove one "
        "of its dependences");
  left_ = std::vector<atomic<std::uint32_t>>(many);
  sealed_ = true;
}

void task_graph::run_from(std::uint32_t task, task_group& group) {
  while (!group.cancelled()) {
    tasks_[task]();
    bool goes_on = false;
    std::uint32_t next = 0;
    for (std::uint32_t i = first_edge_[task]; i != first_edge_[task + 1]; ++i) {
      const std::uint32_t follower = followers_[i];
      if (left_[follower].fetch_sub(1, memory_order_seq_cst) != 1) continue;
      if (goes_on) group.run([this, next, &group] { run_from(next, group); });
      next = follower;
      goes_on = true;
    }
    if (!goes_on) return;
    task = next;
  }
}

void task_graph::run() {
  if (!sealed_) seal();
  for (std::size_t i = 0; i < tasks_.size(); ++i) left_[i].store(before_[i], memory_order_relaxed);
  task_group group;
  for (std::uint32_t i = 0; i < tasks_.size(); ++i)
    if (before_[i] == 0) group.run([this, i, &group] { run_from(i, group); });
  group.wait();
}

}  // namespace terrane
