// SPDX-License-Identifier: Apache-2.0
// expect: (cannot bind|drops|discards|invalid initialization|non-const lvalue reference)
#include "terrane/threads.hpp"

#ifndef CURED
void raise(terrane::global_ptr<long> place) {
  long& value = *place;
  ++value;
}
#else
void raise(terrane::global_ptr<long> place) { *place = *place + 1; }
#endif
