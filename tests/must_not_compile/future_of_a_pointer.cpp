// SPDX-License-Identifier: Apache-2.0
// expect: a raw pointer means nothing on another node: pass a terrane::global<T>
#include "terrane/threads.hpp"

#ifndef CURED
long first(const long* all) { return *all; }
long ask(const long* all) { return terrane::spawn(first, all).join(); }
#else
long ask(const long* all) {  // which may stay in its node
  return terrane::spawn([&all] { return *all; }).join();
}
#endif
