// SPDX-License-Identifier: Apache-2.0
// sequential NAME ARGS...: a program of the papers in plain C++, in one fiber. It prints what the
// program of that name prints; its time is the base of that program's speed-up.
//
// Counts  tokens 0, fibers 1.
// Source  [EARTH-LB §5.4.1]: absolute speed-up and use factor.
#include "programs/sequential/twins.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::programs::sequential_main>(argc, argv);
}
