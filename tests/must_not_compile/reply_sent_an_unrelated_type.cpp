// SPDX-License-Identifier: Apache-2.0
// expect: (cannot convert|no viable conversion from) .terrane::global<long
#include "terrane/terrane.hpp"

struct child : terrane::threaded<child> {
  terrane::step start(terrane::reply<long> to, terrane::global<long> place) {
#ifndef CURED
    to.send(place);
#else
    to.send(static_cast<long>(place.owner()));
#endif
    return done;
  }
};
template struct terrane::activation<child, false>;
