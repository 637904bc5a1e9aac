// SPDX-License-Identifier: Apache-2.0
// queens N T: all placements of N queens that do not attack each other; a token down to row T, one
// fiber solves what is below. T = N is unthrottled.
//
// Answer  12 4 unless said: queens(12) = 14200.
// Counts  tokens 2 p, fibers 5 p + 1, where p counts the legal placements on the rows 1 to T; for
//         12 4: 9916 and 24791, the numbers of the paper.
// Source  [EARTH-LB Table 1]; docs/programs.md.
#include "programs/queens/queens.hpp"

int main(int argc, char** argv) { return terrane::run<terrane::programs::queens_main>(argc, argv); }
