// SPDX-License-Identifier: Apache-2.0
// expect: a future works on copies of its arguments
#include "terrane/threads.hpp"

#ifndef CURED
void add_one(long& sum) { ++sum; }
#else
long add_one(const long& sum) { return sum + 1; }
#endif

long next(long sum) {
#ifndef CURED
  terrane::spawn(add_one, sum).join();
  return sum;
#else
  return terrane::spawn(add_one, sum).join();
#endif
}
