// SPDX-License-Identifier: Apache-2.0
// knary N K R G: visits a tree of N levels in which each inner node has K children, the first R one
// after another, the others in parallel; each node goes round an empty loop G times (400).
//
// Answer  the number of nodes, M = (K^N - 1) / (K - 1); 7 7 2 unless said: knary(7,7,2) = 137257.
// Counts  tokens (K-R) I, where I = (K^(N-1) - 1) / (K - 1) counts the inner nodes, fibers 2 M + 2;
//         for 7 7 2: 98040 and 274516, the numbers of the paper.
// Source  [EARTH-LB Table 1]; docs/programs.md.
#include "programs/knary/knary.hpp"

int main(int argc, char** argv) { return terrane::run<terrane::programs::knary_main>(argc, argv); }
