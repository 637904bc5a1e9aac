// SPDX-License-Identifier: Apache-2.0
// expect: a raw pointer means nothing on another node: pass a terrane::global<T>
#include "terrane/terrane.hpp"

struct child : terrane::threaded<child> {
#ifndef CURED
  terrane::step start(int, char* name) { return name ? done : wait; }
#else
  terrane::step start(int, terrane::global<char> name) { return name ? done : wait; }
#endif
};
struct parent : terrane::threaded<parent> {
  char name;
  terrane::step start(int) {
#ifndef CURED
    invoke<child>(1, 2, &name);
#else
    invoke<child>(1, 2, terrane::to_global(name));
#endif
    return done;
  }
};
template struct terrane::activation<parent, false>;
