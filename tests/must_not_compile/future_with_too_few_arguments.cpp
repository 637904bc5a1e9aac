// SPDX-License-Identifier: Apache-2.0
// expect: one value for each parameter
#include "terrane/threads.hpp"

long sum(long a, long b) { return a + b; }

long ask() {
#ifndef CURED
  return terrane::spawn(sum, 7).join();
#else
  return terrane::spawn(sum, 7, 8).join();
#endif
}
