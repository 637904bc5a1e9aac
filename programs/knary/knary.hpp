// SPDX-License-Identifier: Apache-2.0
// knary.hpp: the threaded functions of the program knary: of a node's children the first are
// invoked one after another, then the rest are spawned at once.
//
// Invariants  A child adds the nodes it visited to its parent's sum and signals the parent: one
//             fiber of the parent per child.
#pragma once

#include <cstdint>
#include <cstdio>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

/// Work in world `sim`: one turn of the empty loop, as on a current core. Serving a child is none.
constexpr operation knary_iteration{"knary_iteration", 0.25};

/// A tree: its levels, the children of an inner node, how many of them run one after another, and
/// the turns of an empty loop for each node.
struct knary_tree {
  int levels, branching, serial, iterations;

  knary_tree below() const { return {levels - 1, branching, serial, iterations}; }
  void visit() const {
    charge(knary_iteration, static_cast<std::uint64_t>(iterations));
    for (int i = 0; i < iterations; ++i) asm volatile("");  // so that the loop stays
  }
};

}  // namespace terrane::programs

template <>
inline constexpr bool terrane::position_independent<terrane::programs::knary_tree> = true;

namespace terrane::programs {

struct knary : threaded<knary> {
  knary_tree tree;
  global<std::int64_t> parent;  // its sum
  slot_ref parent_told;
  std::int64_t visited;
  int children_back;
  slot child_back = on<&knary::next>(1);

  step start(knary_tree from_here, global<std::int64_t> sum, slot_ref told) {
    from_here.visit();
    if (from_here.levels == 1) {
      atomic_add(1, sum, told);
      return done;
    }
    tree = from_here;
    parent = sum;
    parent_told = told;
    visited = 1;
    children_back = 0;
    begin_children();
    return wait;
  }

  step next() {
    charge(knary_iteration, 0);
    if (++children_back == tree.branching) {
      atomic_add(visited, parent, parent_told);
      return done;
    }
    if (children_back <= tree.serial) begin_children();
    return wait;
  }

 private:
  /// The next serial child, or, after the last of them, all the others.
  void begin_children() {
    if (children_back < tree.serial) {
      invoke<knary>(this_processor(), tree.below(), to_global(visited), ref(child_back));
      return;
    }
    for (int i = tree.serial; i < tree.branching; ++i)
      spawn<knary>(tree.below(), to_global(visited), ref(child_back));
  }
};

struct knary_main : threaded<knary_main> {
  knary_tree tree;
  std::int64_t visited;
  join ready = on<&knary_main::plant>();
  slot finished = on<&knary_main::print>(1);

  step start(int argc, char** argv) {
    charge(knary_iteration, 0);
    program_arguments given(argc, argv);
    tree.levels = given.number("N", {.otherwise = 7, .least = 1, .most = 30});
    tree.branching = given.number("K", {.otherwise = 7, .least = 1, .most = 16});
    const int k = tree.branching;
    tree.serial = given.number("R", {.otherwise = k < 2 ? k : 2, .least = 0, .most = k});
    tree.iterations = given.number("G", {.otherwise = 400, .least = 0, .most = 1'000'000'000});
    if (!given.complete()) return done;
    return await(ready);  // goes on at once: the paper's count has this fiber
  }
  step plant() {
    charge(knary_iteration, 0);
    visited = 0;
    invoke<knary>(this_processor(), tree, to_global(visited), ref(finished));
    return wait;
  }
  step print() {
    charge(knary_iteration, 0);
    std::printf("knary(%d,%d,%d) = %lld\n", tree.levels, tree.branching, tree.serial,
                static_cast<long long>(visited));
    return done;
  }
};

}  // namespace terrane::programs
