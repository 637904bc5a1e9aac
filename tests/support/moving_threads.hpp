// SPDX-License-Identifier: Apache-2.0
// moving_threads.hpp: threads that move, and check that all that they took along is intact.
#pragma once

#include <cstdint>
#include <vector>

#include "terrane/core/node.hpp"
#include "terrane/thread/migration.hpp"
#include "tests/support/thread_program.hpp"

namespace terrane {

inline constexpr stack_form all_forms[] = {stack_form::best, stack_form::packed, stack_form::wiped};

inline node_id node_now() { return here().home().number(); }
inline bool is_moving_possible() {
  return terrane_nodes() > 1 && !here().world().why_threads_stay();
}

/// True when the thread is there then, or cannot move in this world.
inline bool goes_to(node_id to, stack_form form) {
  const migration how = this_thread::push_self(to, form);
  if (how == migration::stays) return true;
  return (how == migration::moved || how == migration::is_there) && node_now() == to;
}

/// Runs right(0) ... right(count - 1) in threads that may move; each comes back to node 0 and says
/// whether it was.
template <class Right>
void in_moving_threads(faults& wrong, int count, Right right) {
  std::vector<thread> all;
  std::vector<int> came_back(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    int* const answer = &came_back[static_cast<std::size_t>(i)];
    all.push_back(thread::create_migratable({}, [right, i, answer] {
      const bool was_right = right(i);
      const migration how = this_thread::push_self(0);
      const bool home = how == migration::moved || how == migration::is_there;
      if (home || how == migration::has_own_memory || how == migration::stays)
        *answer = was_right ? 1 : 2;
    }));
  }
  for (thread& each : all) each.join();
  for (const int each : came_back) wrong.unless(each == 1);
}

/// Numbers that follow from one.
inline std::uint64_t next_number(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t drawn = (state ^ state >> 30) * 0xbf58476d1ce4e5b9u;
  drawn = (drawn ^ drawn >> 27) * 0x94d049bb133111ebu;
  return drawn ^ drawn >> 31;
}

/// Calls itself `depth` times, each with a block of canaries, moves at the foot and on the way
/// back, and looks at all.
[[gnu::noinline]] inline bool deep(int depth, std::uint64_t seed, stack_form form) {
  volatile std::uint64_t canaries[24];
  volatile double halves[4];
  std::uint64_t state = seed;
  for (auto& each : canaries) each = next_number(state);
  for (int i = 0; i < 4; ++i) halves[i] = static_cast<double>(seed % 1000) / (i + 2);
  const auto to = static_cast<node_id>(seed % terrane_nodes());
  bool right = depth == 0 ? goes_to(to, form) : deep(depth - 1, seed + 1, form);
  if (depth % 3 == 1)
    right = right && goes_to(static_cast<node_id>((seed / 7) % terrane_nodes()), form);
  state = seed;
  for (const auto& each : canaries) right = right && each == next_number(state);
  for (int i = 0; i < 4; ++i)
    right = right && halves[i] == static_cast<double>(seed % 1000) / (i + 2);
  return right;
}

/// So many moves, at random depths.
inline bool wanders(int which, int moves) {
  std::uint64_t state = 0xabcd + static_cast<std::uint64_t>(which);
  bool right = true;
  for (int made = 0; made < moves && right;) {
    const int depth = static_cast<int>(next_number(state) % 12);
    right = deep(depth, next_number(state) >> 8, all_forms[next_number(state) % 3]);
    made += 1 + depth / 3;
    if (made % 5 == 0) this_thread::yield();
  }
  return right;
}

}  // namespace terrane
