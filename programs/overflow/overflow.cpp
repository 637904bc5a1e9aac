// SPDX-License-Identifier: Apache-2.0
// overflow GAP_US READ_US ROOM SECONDS: an event each GAP_US microseconds for SECONDS, or until a
// monitor with room for ROOM pairs, which reads one in READ_US, is full.
//
// Answer  873 907 1280 30 unless said: see docs/programs.md.
// Source  [TESTBED §3.3.7, §A.5]; docs/programs.md.
#include "programs/overflow/overflow.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::overflow_main>>(argc, argv);
}
