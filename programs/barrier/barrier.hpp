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

struct barrier_member : threaded<barrier_member> {
  int left;
  slot_ref arrive, gone;
  slot go = on<&barrier_member::round>(1);

  step start(global<mailbox> members, int rounds, slot_ref when_here, slot_ref when_gone) {
    left = rounds;
    arrive = when_here;
    gone = when_gone;
    drop_in(members, ref(go));
    return wait;
  }
  step round() {
    if (left == 0) {
      gone.signal();
      return done;
    }
    work();
    --left;
    arrive.signal();
    return wait;
  }

 private:
  /// Uneven, so that another one is the last in every round.
  void work() const {
    const std::uint32_t share = (this_processor() + static_cast<std::uint32_t>(left)) % 8;
    for (std::uint32_t i = 0; i < 100 * share; ++i) asm volatile("");
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
    program_arguments given(argc, argv);
    const int wanted = given.number("ROUNDS", {.otherwise = 10, .least = 0, .most = 1'000'000});
    if (!given.complete()) return done;
    rounds = 0;
    for (std::uint32_t i = 0; i < processors(); ++i)
      invoke<barrier_member>(i, to_global(box), wanted, ref(arrived), ref(gone));
    return wait;
  }
  step add_member() {
    slot_ref go;
    box.retrieve(go);
    members.push_back(go);
    if (members.size() == processors()) start_all();
    return wait;
  }
  step next_round() {
    ++rounds;
    start_all();
    return wait;
  }
  step print() {
    std::printf("%d rounds\n", rounds);
    return done;
  }

 private:
  void start_all() {
    for (const slot_ref go : members) go.signal();
  }
};

}  // namespace terrane::programs
