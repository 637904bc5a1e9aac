// SPDX-License-Identifier: Apache-2.0
// multi_phase ITERATIONS START BYTES: 25 threads in eight phases, each of so many turns; a long
// message has BYTES.
//
// Answer  10 unless said: `multi_phase(10) = 2000 messages`: 200 a turn.
// Source  [TESTBED §3.3.6, §4.1.3, §A.4]; docs/programs.md.
#include "programs/multi_phase/multi_phase.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::multi_phase_main>>(argc, argv);
}
