// SPDX-License-Identifier: Apache-2.0
// expect: a raw pointer means nothing on another node: pass a terrane::global<T>
#include "terrane/terrane.hpp"

struct child : terrane::threaded<child> {
#ifndef CURED
  terrane::step start(const double*, int) { return done; }
#else
  terrane::step start(terrane::global<const double>, int) { return done; }
#endif
};
struct parent : terrane::threaded<parent> {
  double data[8];
  terrane::step start(int) {
#ifndef CURED
    spawn<child>(data, 8);
#else
    spawn<child>(terrane::global<const double>{terrane_to_global(data)}, 8);
#endif
    return done;
  }
};
template struct terrane::activation<parent, false>;
