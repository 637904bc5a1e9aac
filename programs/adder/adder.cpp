// SPDX-License-Identifier: Apache-2.0
// adder A B START: adds all pairs of numbers below A and B with an asynchronous circuit of 14
// elements. Each element is a thread, each wire between two of them a channel.
//
// Answer  8 8 unless said: `adder(8, 8) = 294d4362bf8e3ac3, counts 2248 1920 1344 2496, least 99,
//         most 153, firings 10120`. The same on all machines.
// Source  [TESTBED §4.3.2, §A.7]; docs/programs.md.
#include "programs/adder/adder.hpp"

int main(int argc, char** argv) {
  return terrane::run<terrane::thread_main<terrane::programs::adder_main>>(argc, argv);
}
