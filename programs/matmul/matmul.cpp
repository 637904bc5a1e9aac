// SPDX-License-Identifier: Apache-2.0
// matmul N ROWS: C = A B for two N by N matrices of small whole numbers, a token per block of ROWS
// rows (the last may be smaller); operands and rows travel by block moves.
//
// Answer  the sum of C and the sum of its squares; 256 16 unless said: sum -7 sumsq 3785653.
// Counts  N/ROWS blocks, rounded up: as many tokens, 3 fibers each, and 2 of MAIN.
// Source  [EARTH-LB Table 1] (Matrix); docs/programs.md.
#include "programs/matmul/matmul.hpp"

int main(int argc, char** argv) { return terrane::run<terrane::programs::matmul_main>(argc, argv); }
