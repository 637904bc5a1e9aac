// SPDX-License-Identifier: Apache-2.0
// wator SEED STEPS THREADS SIDE START: fish and sharks on a torus of SIDE by SIDE cells.
//
// Answer  1 100 unless said, and any THREADS, START, machine and balancer:
//         `step 100 fish  4363 sharks   686  fish by region 1140 865 1054 1304`,
//         `fnv 3c9524385029da2b`.
// Source  [TESTBED §4.3.3]; docs/programs.md.
#include "programs/wator/wator.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::wator_main>>(argc, argv);
}
