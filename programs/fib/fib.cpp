// SPDX-License-Identifier: Apache-2.0
// fib N: Fibonacci by its definition, every call a token: the finest grain.
//
// Answer  fib(0) = fib(1) = 1, so fib(N) = F(N+1); 33 unless said: fib(33) = 5702887.
// Counts  tokens 2 F(N+1) - 2, fibers 3 F(N+1).
// Source  [EARTH-SMP Fig. 2]; docs/programs.md.
#include "programs/fib/fib.hpp"

int main(int argc, char** argv) { return terrane::run<terrane::programs::fib_main>(argc, argv); }
