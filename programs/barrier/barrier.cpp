// SPDX-License-Identifier: Apache-2.0
// barrier ROUNDS: a member on every processor works in rounds. Between rounds is a barrier
// that is made of slots and a mailbox.
//
// Answer  10 unless said: `10 rounds`.
// Counts  on P processors, R rounds: tokens 0, fibers P (R+3) + R + 2: a member R + 2, MAIN one for
//         each member, one for each round, the first and the last.
// Source  docs/programs.md.
#include "programs/barrier/barrier.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::programs::barrier_main>(argc, argv);
}
