// SPDX-License-Identifier: Apache-2.0
// reduce: a producer on every processor drops its number into one mailbox; a fiber per item adds.
//
// Answer  on P processors: total = P (P-1) / 2.
// Counts  tokens 0, fibers 2 P + 2: P producers, P additions, and the first and the last of MAIN.
// Source  [EARTH-SMP Fig. 3]; docs/programs.md.
#include "programs/reduce/reduce.hpp"

int main(int argc, char** argv) { return terrane::run<terrane::programs::reduce_main>(argc, argv); }
