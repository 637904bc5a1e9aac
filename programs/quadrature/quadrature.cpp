// SPDX-License-Identifier: Apache-2.0
// quadrature N H: integrates a function that oscillates ever faster. The interval has N equal
// parts, a thread for each, which is a token until it runs; a part is halved where needed, down to
// a length of 10^-H.
//
// Answer  the integral and the evaluations it took; 16 9 unless said: 0.004414193760, of which the
//         true value is 2.5e-7 away.
// Counts  tokens N, fibers N + 2.
// Source  [ACTIVE §8.2]; docs/programs.md.
#include "programs/quadrature/quadrature.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::programs::quadrature_main>(argc, argv);
}
