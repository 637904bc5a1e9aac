// SPDX-License-Identifier: Apache-2.0
// fib.hpp: the threaded functions of the program fib: a call spawns two calls and joins them.
#pragma once

#include <cstdio>

#include "programs/arguments.hpp"
#include "terrane/terrane.hpp"

namespace terrane::programs {

// Work in world `sim`: that of plain calls on a current core. MAIN does none.
constexpr operation fib_call{"fib_call", 1.0};
constexpr operation fib_sum{"fib_sum", 0.5};

struct fib : threaded<fib> {
  reply<long> out;
  long x, y;
  join both = on<&fib::sum>();

  static bool leaf(int n, reply<long> to) {
    charge(fib_call);
    if (n > 1) return false;
    to.send(1);
    return true;
  }
  step start(int n, reply<long> to) {
    out = to;
    spawn<fib>(n - 1, both.into(x));
    spawn<fib>(n - 2, both.into(y));
    return await<&fib::sum>(both);
  }
  step sum() {
    charge(fib_sum);
    out.send(x + y);
    return done;
  }
};

struct fib_main : threaded<fib_main> {
  int n;
  long result;
  join answer = on<&fib_main::print>();

  step start(int argc, char** argv) {
    charge(fib_call, 0);
    program_arguments given(argc, argv);
    n = given.number("N", {.otherwise = 33, .least = 0, .most = 90});
    if (!given.complete()) return done;
    invoke<fib>(this_processor(), n, answer.into(result));
    return await(answer);
  }
  step print() {
    charge(fib_call, 0);
    std::printf("fib(%d) = %ld\n", n, result);
    return done;
  }
};

}  // namespace terrane::programs
