// SPDX-License-Identifier: Apache-2.0
// quadrature N H: a function that turns ever faster, integrated over N equal parts of its interval,
// each halved where it must be, down to a length of 10^-H; a thread a part, which is a token until
// it runs.
//
// Answer  the integral and the evaluations it took; 16 9 unless said: 0.004414193760, of which the
//         true value is 2.5e-7 away.
// Counts  tokens N, fibers N + 2.
// Source  [ACTIVE §8.2]; docs/programs.md.
#include "programs/quadrature/quadrature.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::programs::quadrature_main>(argc, argv);
}
