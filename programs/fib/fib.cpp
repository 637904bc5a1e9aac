// SPDX-License-Identifier: Apache-2.0
// fib N: Fibonacci by its definition, every call a token: the finest grain there is.
//
// Answer  fib(0) = fib(1) = 1, so fib(N) = F(N+1); 33 unless said: 5702887.
// Counts  tokens 2 F(N+1) - 2, fibers 3 F(N+1).
// Source  001_b2fb519ce5769918.txt Fig. 2; spec: programs section 1.
#include <cstdio>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"

using namespace terrane;

namespace {

struct fib : threaded<fib> {
  reply<long> out;
  long x, y;
  join both = on<&fib::sum>();

  step start(int n, reply<long> to) {
    if (n <= 1) {
      to.send(1);
      return done;
    }
    out = to;
    spawn<fib>(n - 1, both.into(x));
    spawn<fib>(n - 2, both.into(y));
    return await(both);
  }
  step sum() {
    out.send(x + y);
    return done;
  }
};

struct fib_main : threaded<fib_main> {
  int n;
  long result;
  join answer = on<&fib_main::print>();

  step start(int argc, char** argv) {
    n = number_argument(argc, argv, 1, "N", {.otherwise = 33, .least = 0, .most = 90});
    if (n < 0) return done;
    invoke<fib>(0, n, answer.into(result));
    return await(answer);
  }
  step print() {
    std::printf("fib(%d) = %ld\n", n, result);
    return done;
  }
};

}  // namespace

int main(int argc, char** argv) { return run<fib_main>(argc, argv); }
