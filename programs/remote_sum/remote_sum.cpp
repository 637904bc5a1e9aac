// SPDX-License-Identifier: Apache-2.0
// remote_sum: two numbers lie on the second and the third processor; a token fetches both at once,
// wherever it runs, and adds them.
//
// Answer  20 + 22 = 42.
// Counts  tokens 1, fibers 10: an owner 2 each, the sum 2, MAIN 4.
// Source  [EARTH-SMP §2] (GET_SYNC); docs/programs.md. MAIN waits for the owners to go before
//         it ends.
#include "programs/remote_sum/remote_sum.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::programs::remote_sum_main>(argc, argv);
}
