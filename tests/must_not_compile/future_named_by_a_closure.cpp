// SPDX-License-Identifier: Apache-2.0
// expect: a closure comes first among the values
#include "terrane/threads.hpp"

inline constexpr auto twice = [](long n) { return 2 * n; };

long ask() {
#ifndef CURED
  return terrane::spawn<twice>(7).join();
#else
  return terrane::spawn(twice, 7).join();
#endif
}
