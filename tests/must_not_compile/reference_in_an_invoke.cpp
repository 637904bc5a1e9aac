// SPDX-License-Identifier: Apache-2.0
// expect: a reference means nothing on another node: take the parameter by value
#include "terrane/terrane.hpp"

struct child : terrane::threaded<child> {
#ifndef CURED
  terrane::step start(const int&) { return done; }
#else
  terrane::step start(int) { return done; }
#endif
};
struct parent : terrane::threaded<parent> {
  terrane::step start(int number) {
    invoke<child>(1, number);
    return done;
  }
};
template struct terrane::activation<parent, false>;
