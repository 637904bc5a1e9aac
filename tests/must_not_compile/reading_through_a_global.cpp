// SPDX-License-Identifier: Apache-2.0
// expect: (operator\*|indirection requires pointer operand)
#include "terrane/terrane.hpp"

struct mine : terrane::threaded<mine> {
  terrane::step start(terrane::global<long> place) {
#ifndef CURED
    const long value = *place;
#else
    const long value = *place.local();
#endif
    return value == 0 ? done : wait;
  }
};
template struct terrane::activation<mine, false>;
