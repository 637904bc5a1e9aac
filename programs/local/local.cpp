// SPDX-License-Identifier: Apache-2.0
// local SIZES REPS: messages of SIZES sizes up to 5,000 bytes, REPS of each, to a thread on
// this processor. Prints how long a send took, in nanoseconds of the world's clock.
//
// Answer  100 10 unless said: `local(100, 10) = 1000 messages, 2476000 bytes` after a line of each
//         size.
// Source  [TESTBED §3.3.1, §3.3.2, §A.1, §A.2]; docs/programs.md.
#include "programs/local/latency.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::local_main>>(argc, argv);
}
