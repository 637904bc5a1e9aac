// SPDX-License-Identifier: Apache-2.0
// barrier.hpp: the threaded functions of the program barrier: members tell MAIN through a mailbox
// how to start them, and wait for one another at a slot of MAIN.
//
// Invariants  A round begins when every member has ended the one before.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

/// Work in world `sim`: one turn of the empty loop, as on a current core. MAIN does none.
constexpr operation barrier_iteration{"barrier_iteration", 0.25};

struct barrier_member : threaded<barrier_member> {
  int left;
  slot_ref arrive, gone;
  slot go = on<&barrier_member::round>(1);

  step start(global<mailbox> members, int rounds, slot_ref when_here, slot_ref when_gone) {
    charge(barrier_iteration, 0);
    left = rounds;
    arrive = when_here;
    gone = when_gone;
    drop_in(members, ref(go));
    return wait;
  }
  step round() {
    charge(barrier_iteration, iterations());
    if (left == 0) {
      gone.signal();
      return done;
    }
    for (std::uint32_t i = 0; i < iterations(); ++i) asm volatile("");
    --left;
    arrive.signal();
    return wait;
  }

 private:
  /// Turns of the empty loop: uneven, so that another member is the last in each round.
  std::uint32_t iterations() const {
    if (left == 0) return 0;
    return 100 * ((this_processor() + static_cast<std::uint32_t>(left)) % 8);
  }
};

struct barrier_main : threaded<barrier_main> {
  int rounds;
  std::vector<slot_ref> members;
  slot joined = on<&barrier_main::add_member>(1);
  slot arrived = on<&barrier_main::next_round>(static_cast<std::int32_t>(processors()));
  slot gone = on<&barrier_main::print>(static_cast<std::int32_t>(processors()));
  mailbox box{ref(joined)};

  step start(int argc, char** argv) {
    charge(barrier_iteration, 0);
    program_arguments given(argc, argv);
    const int wanted = given.number("ROUNDS", {.otherwise = 10, .least = 0, .most = 1'000'000});
    if (!given.complete()) return done;
    rounds = 0;
    for (std::uint32_t i = 0; i < processors(); ++i)
      invoke<barrier_member>(i, to_global(box), wanted, ref(arrived), ref(gone));
    return wait;
  }
  step add_member() {
    charge(barrier_iteration, 0);
    slot_ref go;
    box.retrieve(go);
    members.push_back(go);
    if (members.size() == processors()) start_all();
    return wait;
  }
  step next_round() {
    charge(barrier_iteration, 0);
    ++rounds;
    start_all();
    return wait;
  }
  step print() {
    charge(barrier_iteration, 0);
    std::printf("%d rounds\n", rounds);
    return done;
  }

 private:
  void start_all() {
    for (const slot_ref go : members) go.signal();
  }
};

}  // namespace terrane::programs
