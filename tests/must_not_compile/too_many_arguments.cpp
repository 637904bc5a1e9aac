// SPDX-License-Identifier: Apache-2.0
// expect: spawn and invoke take the parameters of start, all
#include "terrane/terrane.hpp"

struct child : terrane::threaded<child> {
  terrane::step start(int) { return done; }
};
struct parent : terrane::threaded<parent> {
  terrane::step start(int) {
#ifndef CURED
    invoke<child>(0, 1, 2, 3);
#else
    invoke<child>(0, 1);
#endif
    return done;
  }
};
template struct terrane::activation<parent, false>;
