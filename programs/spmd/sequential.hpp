// SPDX-License-Identifier: Apache-2.0
// sequential.hpp: spmd in plain C++: task by task, without rounds or barriers.
#pragma once

#include <cstdint>

namespace terrane::programs {

struct spmd_task {
  int children, size, percent, turns;
};

inline std::uint32_t spmd_draw(std::uint32_t place) {
  place = (place ^ place >> 16) * 0x7feb352du;
  place = (place ^ place >> 15) * 0x846ca68bu;
  return place ^ place >> 16;
}

/// Does the turns of a task and all below it; returns their number.
inline long spmd_tree(const spmd_task& task, std::uint32_t place) {
  const long thousandths = static_cast<long>(spmd_draw(place) % 2001) - 1000;
  const long own = task.turns + task.turns * (task.percent * thousandths) / 100'000;
  for (long i = 0; i < own; ++i) asm volatile("");
  long all = own;
  const spmd_task below{task.children, task.size / 2, task.percent, task.turns};
  for (int child = 1; task.size > 1 && child <= task.children; ++child)
    all += spmd_tree(below, spmd_draw(place) + static_cast<std::uint32_t>(child));
  return all;
}

/// The same for all hundred trees.
inline long spmd_sequential(const spmd_task& root) {
  long all = 0;
  for (std::uint32_t tree = 0; tree < 100; ++tree) all += spmd_tree(root, tree);
  return all;
}

}  // namespace terrane::programs
