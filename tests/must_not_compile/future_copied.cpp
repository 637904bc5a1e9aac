// SPDX-License-Identifier: Apache-2.0
// expect: (use of deleted function|implicitly-deleted copy constructor)
#include "terrane/threads.hpp"

#include <utility>

long twice(long n) { return 2 * n; }

long ask() {
  auto one = terrane::spawn(twice, 7);
#ifndef CURED
  auto other = one;
#else
  auto other = std::move(one);
#endif
  return other.join();
}
